import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFailures
import ValiseFiles

/// Accounts that are looked for, in made-up homes and disks.
struct AccountSearchTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private var home: FilePath { folder.appending("home") }

    private static let encrypted = [UInt8](repeating: 7, count: 4096)
    private static let unencrypted = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 4080)

    init() throws {
        folder = try TemporaryFolder("valise-search", inMemory: true)
        try fileSystem.makeDirectory(home)
    }

    private func write(_ path: FilePath, _ bytes: [UInt8] = encrypted) throws {
        try fileSystem.makeDirectories(path.parentFolder)
        try fileSystem.replace(path, with: bytes)
    }

    @discardableResult
    private func account(
        _ path: String, in place: FilePath? = nil, prefix: String = "simplex_v1"
    ) throws -> FilePath {
        let directory = (place ?? home).appending(path)
        for name in ["chat", "agent"] { try write(directory.appending("\(prefix)_\(name).db")) }
        return directory
    }

    private func makeLink(_ path: FilePath, to target: FilePath) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path.string, withDestinationPath: target.string)
    }

    private func usual(data: FilePath? = nil) -> FoundAccounts {
        var search = AccountSearch()
        search.search(UserHome(home: home, data: data))
        return search.found
    }

    private func below(_ path: FilePath, mostEntries: Int = 10_000) throws -> FoundAccounts {
        var search = AccountSearch(mostEntries: mostEntries)
        try search.search(below: path)
        return search.found
    }

    /// The only account that is found.
    private func only() throws -> FoundAccount {
        let found = usual()
        #expect(found.accounts.count == 1 && found.unreadable.isEmpty)
        return try #require(found.accounts.first)
    }

    // MARK: The usual places

    @Test(arguments: [
        (".local/share/simplex", AccountProgram.desktop),
        (".var/app/chat.simplex.simplex/data/simplex", AccountProgram.flatpak),
        (".simplex", AccountProgram.terminal),
        ("Library/Group Containers/group.chat.simplex.app", AccountProgram.iosOnMac),
        ("Applications/SimpleX-x86_64.AppImage.home/.local/share/simplex", AccountProgram.portableAppImage),
        ("snap/simplex-chat/common/.local/share/simplex", AccountProgram.snap),
    ])
    func `each program's place is known`(path: String, program: AccountProgram) throws {
        let directory = try account(path)
        let found = try only()
        #expect(found.program == program && found.location.directory == directory)
        #expect(found.location.prefix == "simplex_v1" && found.missing.isEmpty && found.size == 8192)
        #expect(found.encryption == .encrypted && found.inUse == nil && !found.isInterrupted)
        #expect(found.changed != nil && found.problem == nil)
    }

    @Test func `there is nothing in an empty home, nor in one that is missing`() throws {
        #expect(usual() == FoundAccounts())
        try fileSystem.removeDirectory(home)
        #expect(usual() == FoundAccounts())
    }

    @Test func `a folder of data that the environment names is looked at, and each account found once`()
        throws
    {
        try account("simplex", in: folder.appending("data"))
        try account(".local/share/simplex")
        let found = usual(data: folder.appending("data")).accounts
        #expect(found.map(\.program) == [.desktop, .desktop])
        #expect(usual(data: home.appending(".local/share")).accounts.count == 1)
    }

    @Test func `an account on another disk is found through the link to it`() throws {
        try account("accounts", in: folder.path)
        try fileSystem.makeDirectories(home.appending(".local/share"))
        try makeLink(home.appending(".local/share/simplex"), to: folder.appending("accounts"))
        #expect(try only().program == .desktop)
    }

    @Test func `of several prefixes one can be chosen`() throws {
        try account(".simplex", prefix: "one")
        try account(".simplex", prefix: "two")
        let found = usual()
        #expect(found.usable(prefix: nil).count == 2)
        #expect(found.usable(prefix: "two").map(\.location.prefix) == ["two"])
    }

    // MARK: States

    @Test func `a database without encryption, and one that is missing, are told`() throws {
        let directory = home.appending(".simplex")
        try write(directory.appending("simplex_v1_chat.db"), Self.unencrypted)
        let found = try only()
        #expect(found.encryption == .unencrypted && found.missing == [.agent])
        try write(directory.appending("simplex_v1_agent.db"))
        let mixed = try only()
        #expect(mixed.encryption == .unknown && mixed.missing.isEmpty)
    }

    @Test func `what an interrupted operation left is told`() throws {
        let directory = try account(".simplex")
        try write(directory.appending(".valise-simplex_v1/new/simplex_v1_chat.db"))
        #expect(try only().isInterrupted)
    }

    @Test func `what is on its way is no account yet`() throws {
        try write(folder.appending(".valise-receive-0a1b/journal"))
        let move = folder.appending(".move-xyz.valise")
        try write(move.appending(".valise-receive-0a1b/journal"))
        try account("new", in: move)
        #expect(try below(folder.path).accounts.isEmpty)
        try write(folder.appending(".valise-receive-x/new/receive-x_chat.db"))
        #expect(try below(folder.path).accounts.map(\.location.prefix) == ["receive-x"])
    }

    @Test func `a retired account is found by its mark, with the names of its databases`() throws {
        let directory = try account(".simplex")
        for name in ["chat", "agent"] {
            let path = directory.appending("simplex_v1_\(name).db")
            try fileSystem.rename(path, to: path.appendingSuffix(".moved"))
        }
        try write(directory.appending("simplex_v1.valise-moved"), Array("{}".utf8))
        let found = try only()
        #expect(found.isRetired && found.missing.isEmpty && found.encryption == .encrypted)
    }

    @Test func `one in use is told as that, and nothing is changed`() throws {
        let directory = try account(".simplex")
        let before = try TemporaryFolder.contents(of: home)
        let lock = try #require(try DirectoryLock(directory, .exclusive))
        #expect(try only().inUse != nil)
        withExtendedLifetime(lock) {}
        _ = consume lock
        #expect(try only().inUse == nil)
        #expect(try TemporaryFolder.contents(of: home) == before)
    }

    // MARK: Disks

    @Test(arguments: [
        ("Users/Ann/AppData/Roaming/SimpleX", "simplex_v1", AccountProgram.windowsDesktop),
        ("Users/Ann/AppData/Roaming/simplex", "simplex_v1", AccountProgram.windowsTerminal),
        ("home/ann/.simplex", "own", AccountProgram.terminal),
        ("root/.local/share/simplex", "simplex_v1", AccountProgram.desktop),
        ("data/data/chat.simplex.app", "files", AccountProgram.android),
        ("some/where/deep/down", "own", AccountProgram.unknown),
    ])
    func `an account on a disk is found`(path: String, prefix: String, program: AccountProgram) throws {
        let directory = try account(path, prefix: prefix)
        let found = try below(home)
        #expect(found.accounts.map(\.location.directory) == [directory] && found.isComplete)
        #expect(found.accounts.first?.program == program && found.accounts.first?.location.prefix == prefix)
    }

    @Test func `files of others that are called alike are no account`() throws {
        try write(home.appending("other/wa_chat.db"))
        try write(home.appending("migration_temp_files/migration.db_chat.db"))
        #expect(try below(home).accounts.isEmpty)
        try write(home.appending("other/simplex_v1_chat.db"))
        #expect(try below(home).accounts.map(\.location.prefix) == ["simplex_v1"])
    }

    @Test func `a link that leads out is not followed`() throws {
        try account("elsewhere", in: folder.path)
        try makeLink(home.appending("link"), to: folder.appending("elsewhere"))
        try makeLink(home.appending(".simplex"), to: folder.appending("elsewhere"))
        #expect(try below(home).accounts.isEmpty)
        #expect(try below(folder.path).accounts.count == 1)
    }

    @Test func `a search that ends at its limit says so`() throws {
        for number in 0..<20 { try fileSystem.makeDirectories(home.appending("\(number)/a/b")) }
        #expect(try below(home).isComplete)
        #expect(try !below(home, mostEntries: 25).isComplete)
    }

    @Test func `a folder that is missing is a failure`() {
        #expect { try below(home.appending("nowhere")) } throws: {
            ($0 as? any Failure)?.code == .notFound
        }
    }

    // MARK: Backups of phones

    /// SHA-1 of `AppDomainGroup-group.chat.simplex.app-simplex_v1_chat.db` and `…_agent.db`, by `sha1sum`.
    private static let backedUp = [
        "3f/3f844f6159982880c58b9ad1e23c309e4100aca6", "ef/ef63e3eefe402c52bb61bef1ec1006cf6542fe38",
    ]

    private func backup(_ path: String, list: [UInt8], files: [String] = backedUp) throws {
        let directory = home.appending(path)
        try write(directory.appending("Manifest.db"), list)
        try write(directory.appending("Manifest.plist"), [1])
        for file in files { try write(directory.appending(file)) }
    }

    @Test func `an account in a backup is found by the names that files have there`() throws {
        try backup("Library/Application Support/MobileSync/Backup/0000-1", list: Self.unencrypted)
        let found = try only()
        #expect(found.program == .ios && found.backup == .unencrypted && found.encryption == .encrypted)
        #expect(found.files[.chat]?.lastComponent?.string == "3f844f6159982880c58b9ad1e23c309e4100aca6")
        #expect(found.missing.isEmpty && found.size == 8192)
        #expect(usual().usable(prefix: nil).isEmpty)
        #expect(try below(home).accounts == [found])
    }

    @Test func `of an encrypted backup nothing is said but that it is one`() throws {
        try backup("a", list: Self.encrypted, files: [Self.backedUp[0]])
        let found = try below(home).accounts
        #expect(found.map(\.backup) == [.encrypted] && found.map(\.encryption) == [.unknown])
        #expect(found.map(\.missing) == [[.agent]])
    }

    @Test func `a backup without the app's databases is named`() throws {
        try backup("a", list: Self.unencrypted, files: [])
        let found = try below(home)
        #expect(found.accounts.isEmpty && found.otherBackups == [home.appending("a").string])
    }
}
