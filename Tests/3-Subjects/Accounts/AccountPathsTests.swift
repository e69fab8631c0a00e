import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFailures
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

struct AccountPathsTests {
    private let account: ChangedAccount
    private let fileSystem = FileSystem()
    private var directory: FilePath { account.location.directory }

    init() throws {
        account = try ChangedAccount()
    }

    private func isRefused(_ path: FilePath, and location: AccountLocation? = nil) throws -> Bool {
        do {
            try AccountPaths.refuse(path, for: "the archive", and: location)
            return false
        } catch let error as AccountError {
            #expect(error.code == .invalid && error.path == path)
            return true
        }
    }

    private func link(_ target: FilePath, _ path: FilePath) throws {
        try #require(path.withPlatformString { symlink(target.string, $0) } == 0)
    }

    @Test(arguments: [
        "simplex_v1_chat.db", "simplex_v1_agent.db", "simplex_v1_chat.db-wal", "simplex_v1_agent.db-journal",
        "simplex_v1_chat.db-shm", "simplex_v1_chat.db.bak", "simplex_v1.valise-archive", ".valise-simplex_v1",
        ".valise-simplex_v1/journal.json", ".simplex_v1.valise-reading-7", "simplex_v1_files",
        "simplex_v1_files/a.zip", "simplex_v1_files/deep/er/a.zip", "simplex_v1_assets",
        "simplex_v1_assets/wallpapers/a.zip", "SIMPLEX_V1_chat.db", "simplex_v1_files/../simplex_v1_chat.db",
        "./simplex_v1_chat.db",
    ])
    func `what is of an account, or would be, is told from its path`(_ name: String) throws {
        #expect(try isRefused(directory.appending(name)))
        let second = account.folder.appending("second name")
        try link(directory, second)
        #expect(try isRefused(second.appending(name)))
        #expect(try isRefused(second.appending(name), and: account.location))
    }

    @Test(arguments: [
        "a.zip", "simplex_v1.zip", "simplex_v1_chat.zip", "simplex_v1_files.zip", "simplex_v2_chat.db-wal",
        "backups/a.zip", "tmp/simplex_v1_chat.db", "../simplex_v1_chat.db", "../simplex_v1_files/a.zip",
    ])
    func `what lies beside is nobody's`(_ name: String) throws {
        #expect(try !isRefused(directory.appending(name)))
        #expect(try !isRefused(directory.appending(name), and: account.location))
    }

    @Test func `media that lie elsewhere are found through the account`() throws {
        let real = account.folder.appending("disk")
        try fileSystem.makeDirectory(real)
        try fileSystem.removeTree(account.location.filesFolder)
        try link(real, account.location.filesFolder)
        #expect(try isRefused(directory.appending("simplex_v1_files/a.zip")))
        #expect(try isRefused(real.appending("a.zip"), and: account.location))
        #expect(try !isRefused(account.folder.appending("disks/a.zip"), and: account.location))
    }

    @Test func `another name of a database counts, whatever the account's folders are called`() throws {
        let second = directory.appending("x.zip")
        try fileSystem.link(account.location.path(of: .agent), as: second)
        #expect(try isRefused(second))
        for name in ["files_chat.db", "files_agent.db", "app_files/x"] {
            let path = account.folder.appending("other/\(name)")
            try fileSystem.makeDirectories(path.removingLastComponent())
            try fileSystem.replace(path, with: [1])
        }
        #expect(try isRefused(account.folder.appending("other/files/app_files/a.zip")))
        #expect(try isRefused(account.folder.appending("other/files/assets/wallpapers/a.zip")))
    }

    @Test func `a folder is occupied by a database, an interrupted operation or a mark`() throws {
        let folder = account.folder.appending("empty")
        func isOccupied() throws -> Bool { try AccountPaths.isOccupied(folder) }
        for name in ["simplex_v1_chat.db", "b_agent.db", ".valise-simplex_v1/x", "simplex_v1.valise-archive"]
        {
            try fileSystem.makeDirectory(folder)
            #expect(try !isOccupied())
            let path = folder.appending(name)
            try fileSystem.makeDirectories(path.removingLastComponent())
            try fileSystem.replace(path, with: [])
            #expect(try isOccupied(), "\(name)")
            try fileSystem.removeTree(folder)
        }
        // What a stopped extraction or export of media left is no account.
        for name in [".valise-extract", ".valise-export"] {
            try fileSystem.makeDirectories(folder.appending(name))
        }
        #expect(try !isOccupied())
    }
}
