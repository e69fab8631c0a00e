import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseSampleAccounts

/// An extraction changes no account, whatever it is told to replace.
struct ExtractionIntoAccountTests {
    private let account: SampleAccountFixture

    init() throws {
        account = try SampleAccountFixture(.encrypted)
        try account.export()
    }

    private func extract(
        to folder: FilePath, force: Bool, decrypts: Bool = false, isDryRun: Bool = false
    ) throws -> ExtractionReport {
        try ArchiveExtraction(
            .init(replacesFiles: force, decryptsMedia: decrypts, isDryRun: isDryRun)
        ).extract(account.archive, to: folder, passphrase: SampleAccountFixture.key())
    }

    private func expectUntouched(_ folder: FilePath) throws {
        let before = try TemporaryFolder.contents(of: folder)
        for (force, decrypts) in [(false, false), (true, false), (true, true), (false, true)] {
            for isDryRun in [true, false] {
                let error = #expect(throws: AccountArchiveError.self) {
                    try extract(to: folder, force: force, decrypts: decrypts, isDryRun: isDryRun)
                }
                #expect(error?.code == .failed && error?.subject == folder.string)
            }
            #expect(try TemporaryFolder.contents(of: folder) == before)
        }
    }

    @Test func `nothing is put into a live account, not what is missing either`() throws {
        let directory = account.location.directory
        try account.fileSystem.remove(account.location.filesFolder.appending("photo_0001.jpg"))
        try account.fileSystem.replace(account.location.filesFolder.appending("photo_0006.jpg"), with: [1])
        try expectUntouched(directory)
    }

    @Test(arguments: [
        ".valise-simplex_v1/x", "simplex_v1.valise-archive", "simplex_v1_agent.db", "files_chat.db",
    ])
    func `nor where only a part of one is`(_ name: String) throws {
        let path = account.out.appending(name)
        try account.fileSystem.makeDirectories(path.removingLastComponent())
        try account.fileSystem.replace(path, with: [])
        try expectUntouched(account.out)
    }

    @Test func `nor into a marked account`() throws {
        let marked = AccountLocation(directory: account.folder.appending("marked"))
        _ = try ArchiveImport(.init(isReadOnly: true)).import(
            account.archive, to: marked, passphrase: SampleAccountFixture.key())
        #expect(try ReadOnlyMark.isThere(marked, fileSystem: account.fileSystem))
        try expectUntouched(marked.directory)
    }

    @Test func `nobody has to be asked for a passphrase to refuse it`() throws {
        let extraction = ArchiveExtraction(.init(decryptsMedia: true))
        let archive = try ArchiveStorage(account.archive)
        let error = #expect(throws: AccountArchiveError.self) {
            try extraction.needsPassphrase(archive, to: account.location.directory)
        }
        #expect(error?.code == .failed)
        #expect(try extraction.needsPassphrase(archive, to: account.out))
    }

    /// What is no part of an account in the archive may be one in the folder.
    @Test func `names of the account that is there are its own`() throws {
        let names = ["photo.jpg", "files_chat.db.bak", "files/app_files/x", "notes.txt"]
        try account.fileSystem.replace(
            account.archive, with: ZipForge(names.map { ForgedEntry($0, [1]) }).bytes)
        func failed(_ folder: FilePath) throws -> Set<String> {
            let report = try ArchiveExtraction(.init(replacesFiles: true)).extract(
                account.archive, to: folder)
            return Set(
                report.archiveErrors.compactMap { if case .fileError(let file, _) = $0 { file } else { nil } }
            )
        }
        #expect(try failed(account.location.filesFolder) == Set(names))
        try account.fileSystem.makeDirectories(account.out)
        try account.fileSystem.replace(account.out.appending("files_agent.db"), with: [])
        #expect(try failed(account.out) == ["files_chat.db.bak", "files/app_files/x"])
    }

    @Test func `databases come last, so that a stopped run has its media`() throws {
        var names: [String] = []
        _ = try ArchiveExtraction().extract(account.archive, to: account.out) { progress in
            if names.last != progress.activity { names.append(progress.activity) }
        }
        let databases = names.indices.filter { names[$0].hasSuffix(".db") }
        #expect(databases.count == 2 && databases.first == names.count - 3)
    }
}
