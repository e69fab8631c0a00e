import FaultInjection
import Synchronization
import SystemPackage
import Testing
import Valise

/// What an app hears of single entries that fail, while the others are done.
struct EntryFailureTests {
    @Test func `an import tells of a damaged file when it has it, and names it in its report`() async throws {
        let folder = try TemporaryFolder("valise-entries")
        let (account, archive) = (folder.appending("account"), folder.appending("a.zip"))
        // What does not get smaller is stored as it is.
        let content = (0..<40_000).map { _ in UInt8.random(in: .min ... .max) }
        try FileSystem().replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.empty(at: account.string)
        let media = account.appending("simplex_v1_files")
        try FileSystem().makeDirectories(media)
        try FileSystem().replace(media.appending("photo.jpg"), with: content)
        try FileSystem().replace(media.appending("song.mp3"), with: content.reversed())
        let exported = try Program.valise(
            "archive", "export", account.string, archive.string, "--quiet")
        #expect(exported.status == 0, "\(exported.errors)")
        var bytes = try FileSystem().contents(of: archive, limit: 1 << 28)
        let place = try #require(bytes.firstRange(of: content))
        bytes[place.lowerBound + 2000] ^= 1
        try FileSystem().replace(archive, with: bytes)

        let failures = Mutex<[EntryFailure]>([])
        let context = OperationContext(
            folders: ValiseFolders(),
            events: { event in
                if case .entryFailed(let failure) = event { failures.withLock { $0.append(failure) } }
            })
        let copy = AccountLocation(directory: folder.appending("copy"))
        let imported = try await ImportArchive(
            .file(archive), into: copy, passphrase: .file(folder.appending("key"))
        ).run(in: context)
        #expect(failures.withLock { $0.map(\.entry) } == ["simplex_v1_files/photo.jpg"])
        #expect(imported.hasEntryErrors && imported.entryFailures == failures.withLock { $0 })
        let whole = copy.directory.appending("simplex_v1_files").appending("song.mp3")
        #expect(try FileSystem().contents(of: whole, limit: 1 << 20) == content.reversed())

        failures.withLock { $0 = [] }
        let options = ArchiveExtraction.Options(patterns: ["photo.jpg", "nothing*"])
        let extracted: any OperationReport = try await ExtractArchive(
            archive, to: folder.appending("out"), options: options
        ).run(in: context)
        #expect(extracted.entryFailures.map(\.entry) == ["simplex_v1_files/photo.jpg", "nothing*"])
        #expect(extracted.hasEntryErrors && extracted.entryFailures == failures.withLock { $0 })

        failures.withLock { $0 = [] }
        let saved: any OperationReport = try await SalvageArchive(
            archive, to: folder.appending("saved.zip")
        ).run(in: context)
        #expect(saved.entryFailures.map(\.entry) == ["simplex_v1_files/photo.jpg"])
        #expect(saved.hasEntryErrors && saved.entryFailures == failures.withLock { $0 })
    }
}
