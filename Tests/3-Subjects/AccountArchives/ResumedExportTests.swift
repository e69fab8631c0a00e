import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// An export that was stopped is continued by the next one, and the archive is the same (decision 53).
struct ResumedExportTests {
    private let export: InterruptedExport

    init() throws {
        export = try InterruptedExport()
    }

    /// How many entries of an earlier run were kept.
    private func kept(_ told: [ExportContinuation]) -> Int? {
        guard case .continues(let kept)? = told.first else { return nil }
        return kept.files
    }

    @Test(arguments: [true, false])
    func `stopped at each file, the next run keeps those before and makes the same bytes`(
        isReproducible: Bool
    ) throws {
        export.options.isReproducible = isReproducible
        let (told, whole, report) = try export.complete()
        #expect(told == [.starts])
        var most = 0
        for number in 0..<InterruptedExport.count {
            let left = try export.stop(at: "m\(number)")
            let (told, bytes, resumed) = try export.complete()
            #expect(bytes == whole, "stopped at \(number)")
            #expect(resumed.entries == report.entries && resumed.storedEntries == report.storedEntries)
            #expect(resumed.sourceSize == report.sourceSize && resumed.sha256 == report.sha256)
            guard case .left(let files?)? = left.last else {
                #expect(left == [.starts, .leftNothing(.tooLittle)] && told == [.starts])
                continue
            }
            #expect(kept(told) == files.files && files.files == number)
            most = max(most, files.files)
        }
        #expect(most == InterruptedExport.count - 1)
    }

    @Test func `stopped again and again, each run keeps more, and what it had to write is less`() throws {
        let whole = try export.complete().bytes
        var counts: [Int] = []
        for number in [5, 6, 7] {
            let told = try export.stop(at: "m\(number)")
            #expect(try export.leftovers() == ["a.zip.partial", "a.zip.partial.journal"])
            for path in [export.partial, export.journal] {
                #expect(try export.fileSystem.attributes(of: path)?.permissions == .ownerReadWrite)
            }
            guard case .left(let left?)? = told.last else {
                Issue.record("nothing was left at \(number): \(told)")
                return
            }
            #expect(kept(told) == counts.last)
            counts.append(left.files)
        }
        #expect(counts == [5, 6, 7])
        // Databases and what was not kept, not all of it.
        let written = Tally()
        let counting = FileSystem(
            interposer: QuickerProcess { operation in
                if case .write(let path, let count) = operation, path.string.hasSuffix(".partial") {
                    written.add(count)
                }
            })
        _ = try export.run(counting)
        #expect(try export.fileSystem.contents(of: export.archive, limit: 1 << 28) == whole)
        #expect(written.value < whole.count / 2)
    }

    @Test func `a small export that is stopped leaves nothing, and flushes once`() throws {
        export.flushing = ArchiveExport.Flushing()
        #expect(try export.stop(at: "m7") == [.starts, .leftNothing(.tooLittle)])
        #expect(try export.leftovers().isEmpty)
        let flushes = Tally()
        let counting = FileSystem(
            interposer: QuickerProcess { operation in
                if case .synchronize = operation { flushes.add(1) }
                if case .create(let path) = operation { #expect(!path.string.hasSuffix(".journal")) }
            })
        _ = try export.run(counting)
        // The archive, and the folder with its name.
        #expect(flushes.value == 2)
    }

    @Test func `what a stopped run leaves is not called nothing`() throws {
        let error = #expect(throws: Interruption.self) { try export.run(stoppedAt: "m5") }
        #expect(error?.message == "interrupted. The account is unchanged.")
        export.leavesArchive = false
        let cancelled = #expect(throws: Interruption.self) { try export.run(stoppedAt: "m5") }
        #expect(cancelled?.message == "interrupted. Nothing was changed.")
    }

    @Test func `another error than an interruption leaves nothing`() throws {
        try export.stop(at: "m6")
        let failing = FileSystem(
            interposer: QuickerProcess { operation in
                if case .write(let path, _) = operation, path.string.hasSuffix(".partial") {
                    throw Errno.noSpace
                }
            })
        #expect(throws: (any Error).self) { try export.run(failing) }
        #expect(try export.leftovers().isEmpty)
    }

    @Test func `a run that is cancelled leaves nothing, also of earlier ones`() throws {
        try export.stop(at: "m5")
        export.leavesArchive = false
        #expect(try export.stop(at: "m7").count == 1)
        #expect(try export.leftovers().isEmpty)
    }

    @Test func `a wrong passphrase costs nothing of what was left`() throws {
        guard case .left(let left?)? = try export.stop(at: "m6").last else {
            Issue.record("nothing was left")
            return
        }
        let before = try TemporaryFolder.contents(of: export.account.folder.path)
        #expect(throws: (any Error).self) {
            try ArchiveExport(export.options).export(
                export.account.location, to: export.archive,
                passphrase: SecretBytes(copying: Array("wrong".utf8)))
        }
        #expect(try TemporaryFolder.contents(of: export.account.folder.path) == before)
        #expect(try kept(export.complete().told) == left.files)
    }

    // MARK: What changed meanwhile

    /// Stops it, changes something, and completes it.
    private func told(after change: () throws -> Void) throws -> [ExportContinuation] {
        try export.stop(at: "m7")
        try change()
        return try export.complete().told
    }

    @Test(arguments: [0, 2])
    func `a file that changed, went or came ends what is kept`(_ number: Int) throws {
        let expected: [ExportContinuation]? = number == 0 ? [.startsAnew(.media)] : nil
        func expect(_ told: [ExportContinuation], _ what: String) {
            if let expected {
                #expect(told == expected, "\(what)")
            } else {
                #expect(kept(told) == number, "\(what)")
            }
        }
        let path = export.media(number)
        let size = Int(try #require(try export.fileSystem.attributes(of: path)).size)
        expect(try told { try export.write(size, to: number, seed: 1) }, "another file of the same size")
        // In place, with its times set to what they were.
        let before = try #require(try export.fileSystem.attributes(of: path))
        expect(
            try told {
                let file = try export.fileSystem.openForUpdating(path)
                try [UInt8(1)].withUnsafeBytes { try file.write($0, at: 5) }
                try file.setModificationTime(
                    before.modificationTime, nanoseconds: before.modificationNanoseconds)
            }, "rewritten in place")
        let beside = export.account.location.filesFolder.appending(number == 0 ? "m" : "m\(number - 1)x")
        expect(try told { try export.fileSystem.replace(beside, with: [1]) }, "a new one before")
        expect(try told { try export.fileSystem.remove(beside) }, "gone")
        expect(try told { try export.fileSystem.remove(path) }, "the file is gone")
    }

    @Test func `databases are those of the last run`() throws {
        let told = try told {
            // No page more.
            let connection = try export.account.connection()
            try connection.execute("PRAGMA user_version = 77")
        }
        #expect(kept(told) == 7)
    }

    @Test func `a database of another size begins anew`() throws {
        let told = try told {
            let connection = try export.account.connection()
            try connection.execute("CREATE TABLE junk (x)")
            try connection.execute("INSERT INTO junk VALUES (zeroblob(200000))")
        }
        #expect(told == [.startsAnew(.databases)])
    }

    @Test(arguments: [
        ArchiveExport.Options(level: 9, isReproducible: true), .init(compresses: false, isReproducible: true),
        .init(isReproducible: false),
    ])
    func `other options begin anew`(_ options: ArchiveExport.Options) throws {
        try export.stop(at: "m6")
        export.options = options
        #expect(try export.complete().told == [.startsAnew(.otherOptions)])
    }

    @Test func `a tar of the same name begins anew and clears what was left`() throws {
        try export.stop(at: "m6")
        export.options.format = .tar
        #expect(try export.stop(at: "m6") == [.startsAnew(.notAZip), .leftNothing(.notAZip)])
        #expect(try export.leftovers().isEmpty)
    }

    @Test func `what was written a moment ago is not kept, as it could change unseen`() throws {
        let told = InterruptedExport.Told()
        #expect(throws: Interruption.self) { try export.run(later: -60, stoppedAt: "m6", telling: told) }
        #expect(told.values.last == .leftNothing(.tooLittle))
    }

    // MARK: Damage

    /// What a whole export gives, and what one that was stopped leaves.
    private func stopped() throws -> (whole: [UInt8], partial: [UInt8], journal: [UInt8]) {
        let whole = try export.complete().bytes
        try export.stop(at: "m6")
        return try (
            whole, export.fileSystem.contents(of: export.partial, limit: 1 << 28),
            export.fileSystem.contents(of: export.journal, limit: 1 << 20)
        )
    }

    @Test func `a journal that is cut or changed anywhere gives the same archive`() throws {
        let (whole, partial, journal) = try stopped()
        var random = SeededGenerator(seed: .random(in: 0...999))
        for round in FaultSweep.few(of: 0..<40) {
            var changed = journal
            let place = Int.random(in: 0..<journal.count, using: &random)
            if round % 2 == 0 { changed = Array(journal[..<place]) } else { changed[place] ^= 0x10 }
            try export.fileSystem.replace(export.partial, with: partial)
            try export.fileSystem.replace(export.journal, with: changed)
            // Without its first line nobody knows whose it is.
            if round % 2 == 1, place < 24 { continue }
            #expect(try export.complete().bytes == whole, "round \(round), byte \(place)")
        }
    }

    @Test func `an archive that is cut or changed anywhere gives the same one`() throws {
        let (whole, partial, journal) = try stopped()
        var random = SeededGenerator(seed: .random(in: 0...999))
        for round in FaultSweep.few(of: 0..<20) {
            var changed = partial
            let place = Int.random(in: 4..<partial.count, using: &random)
            if round % 2 == 0 { changed = Array(partial[..<place]) } else { changed[place] ^= 0x10 }
            try export.fileSystem.replace(export.partial, with: changed)
            try export.fileSystem.replace(export.journal, with: journal)
            #expect(try export.complete().bytes == whole, "round \(round), byte \(place)")
        }
    }

    @Test(arguments: [("mine", 0o600), ("Valise export journal 1\n", 0o644)])
    func `a journal that no export left is not touched`(_ text: String, _ mode: CInterop.Mode) throws {
        try export.fileSystem.replace(export.journal, with: Array(text.utf8))
        try export.fileSystem.setPermissions(FilePermissions(rawValue: mode), of: export.journal)
        let before = try TemporaryFolder.contents(of: export.account.folder.path)
        #expect {
            _ = try export.run()
        } throws: {
            ($0 as? AccountArchiveError)?.code == .alreadyExists
        }
        #expect(try TemporaryFolder.contents(of: export.account.folder.path) == before)
    }

    // MARK: Old ones

    @Test func `what nobody continued for a week goes with the next export in its folder`() throws {
        try export.stop(at: "m6")
        let other = export.account.folder.appending("b.zip")
        let later: [(days: Int64, told: [ExportContinuation])] = [
            (6, [.starts]), (8, [.removedOld(export.archive.string), .starts]),
        ]
        for (days, expected) in later {
            let told = InterruptedExport.Told()
            var old = ArchiveExport(.init(replacesFile: true))
            old.clock = { UTCTime.clock() + days * 24 * 3600 }
            old.reportContinuation = { told.add($0) }
            _ = try old.export(export.account.location, to: other, passphrase: SampleAccountFixture.key())
            #expect(told.values == expected, "after \(days) days")
        }
        #expect(try export.leftovers() == ["b.zip"])
    }

    @Test func `what is old and locked, or not of an export, stays`() throws {
        try export.stop(at: "m6")
        let lock = try PendingFile(export.archive, keepsPrevious: true)
        lock.isLeft = true
        let mine = export.account.folder.appending("c.zip.partial.journal")
        try export.fileSystem.replace(mine, with: Array("mine".utf8))
        var old = ArchiveExport()
        old.clock = { UTCTime.clock() + 30 * 24 * 3600 }
        _ = try old.export(
            export.account.location, to: export.account.folder.appending("b.zip"),
            passphrase: SampleAccountFixture.key())
        #expect(
            try export.leftovers()
                == ["b.zip", "c.zip.partial.journal", "a.zip.partial", "a.zip.partial.journal"])
        withExtendedLifetime(lock) {}
    }
}
