import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Counts on any thread.
final class Tally: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add(_ more: Int) { count.withLock { $0 += more } }
}

/// Exports of an account with media of several mebibytes, each of which is durable as soon as it is complete.
final class InterruptedExport {
    let account: SampleAccountFixture
    /// What is exported, and how.
    var options = ArchiveExport.Options(isReproducible: true)
    var flushing = ArchiveExport.Flushing(bytes: 1)
    var leavesArchive = true

    /// In bytes: some entries take a whole mebibyte of packing, and some of them several.
    private static let sizes = [700_000, 1_100_000, 900_000, 300_000, 2_500_000, 800_000, 1_000_000, 100]

    var archive: FilePath { account.archive }
    var partial: FilePath { account.folder.appending("a.zip.partial") }
    var journal: FilePath { account.folder.appending("a.zip.partial.journal") }
    var fileSystem: FileSystem { account.fileSystem }

    init() throws {
        account = try SampleAccountFixture()
        for entry in try fileSystem.list(account.location.filesFolder) {
            try fileSystem.remove(account.location.filesFolder.appending(entry.name ?? ""))
        }
        for (number, size) in Self.sizes.enumerated() { try write(size, to: number) }
    }

    static var count: Int { sizes.count }

    func media(_ number: Int) -> FilePath { account.location.filesFolder.appending("m\(number)") }

    /// Some of it packs well, and the rest does not.
    func write(_ size: Int, to number: Int, seed: UInt64 = 0) throws {
        var random = SeededGenerator(seed: UInt64(number) + 100 * seed)
        var bytes = [UInt8](repeating: UInt8(number), count: number % 2 == 0 ? 0 : size / 2)
        while bytes.count < size {
            withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
        }
        try fileSystem.replace(media(number), with: Array(bytes.prefix(size)))
    }

    /// What an export said of archives that are not complete.
    final class Told: Sendable {
        private let all = Mutex<[ExportContinuation]>([])

        var values: [ExportContinuation] { all.withLock { $0 } }

        func add(_ value: ExportContinuation) { all.withLock { $0.append(value) } }
    }

    /// - Parameters:
    ///   - fileSystem: where it is written.
    ///   - later: seconds that have passed since the account was made.
    ///   - name: while the file of this name is read, it is interrupted.
    ///   - told: gets what it says.
    func run(
        _ fileSystem: FileSystem = FileSystem(), later: Int64 = 60, stoppedAt name: String? = nil,
        telling told: Told = Told()
    ) throws -> ExportReport {
        var export = ArchiveExport(options, fileSystem: fileSystem)
        export.flushing = flushing
        // Of many cores each has an entry on its way.
        export.workers = 1
        export.clock = { UTCTime.clock() + later }
        export.reportContinuation = { told.add($0) }
        export.leavesArchive = { [leavesArchive] in leavesArchive }
        return try export.export(
            account.location, to: archive, passphrase: SampleAccountFixture.key()
        ) { progress in
            if let name, progress.activity.hasSuffix(name) { throw Interruption() }
        }
    }

    /// Runs it until it comes to a file.
    /// - Returns: what it said.
    @discardableResult
    func stop(at name: String) throws -> [ExportContinuation] {
        let told = Told()
        #expect(throws: Interruption.self) { try run(stoppedAt: name, telling: told) }
        return told.values
    }

    /// Runs it to its end.
    /// - Returns: what it said, and the archive, which goes.
    func complete() throws -> (told: [ExportContinuation], bytes: [UInt8], report: ExportReport) {
        let told = Told()
        let report = try run(telling: told)
        let bytes = try fileSystem.contents(of: archive, limit: 1 << 28)
        try expectContents()
        try fileSystem.remove(archive)
        #expect(try leftovers().isEmpty)
        return (told.values, bytes, report)
    }

    /// All but the account and a complete archive.
    func leftovers() throws -> Set<String> {
        try Set(fileSystem.list(account.folder.path).compactMap(\.name)).subtracting(["account", "a.zip"])
    }

    /// Each file of the account is in the archive as it is.
    func expectContents() throws {
        let index = try ZipIndex(try fileSystem.openForReading(archive))
        let zip = ZipContents(index, try FileSource(archive))
        #expect(index.hidden.isEmpty)
        var found: [String: [UInt8]] = [:]
        for entry in index.entries {
            var bytes: [UInt8] = []
            try zip.read(entry) { bytes += $0 }
            found[entry.name] = bytes
        }
        #expect(found == (try account.files()))
    }
}
