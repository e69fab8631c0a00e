import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseContainers
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseMedia

/// Tars of an account: what is exported, listed, verified, and refused by what needs a zip.
struct ContainerArchiveTests {
    private let account: SampleAccountFixture
    private var tar: FilePath { account.folder.appending("a.tar") }
    private var packed: FilePath { account.folder.appending("a.tar.zst") }

    init() throws {
        account = try SampleAccountFixture()
        try account.export()
        try account.export(Self.options(.tar), to: tar)
        try account.export(Self.options(.tarZstd), to: packed)
    }

    private static func options(_ format: ExportFormat, reproducible: Bool = false) -> ArchiveExport.Options {
        var options = ArchiveExport.Options(isReproducible: reproducible)
        options.format = format
        return options
    }

    @Test func `a tar has the entries of the zip, in the same order`() throws {
        let zip = try ArchiveListing(account.archive)
        for (archive, container) in [(tar, "tar"), (packed, "tar.zst")] {
            let listing = try ArchiveListing(archive)
            #expect(listing.entries.map(\.name) == zip.entries.map(\.name))
            #expect(listing.entries.map(\.size) == zip.entries.map(\.size))
            #expect(listing.entries.map(\.role) == zip.entries.map(\.role))
            #expect(listing.container == container && listing.isAccount && zip.container == nil)
            #expect(listing.totalSize == zip.totalSize)
        }
    }

    @Test func `a verification proves of a tar what it proves of the zip`() throws {
        let zip = try ArchiveVerification().verify(account.archive, passphrase: SampleAccountFixture.key())
        for archive in [tar, packed] {
            let report = try ArchiveVerification().verify(archive, passphrase: SampleAccountFixture.key())
            #expect(report.verdict == zip.verdict && report.importOutlook == zip.importOutlook)
            #expect(report.chat == zip.chat && report.agent == zip.agent)
            #expect(report.structure == zip.structure && report.contents == zip.contents)
            #expect(report.size == (try account.fileSystem.attributes(of: archive)?.size))
            #expect(report.media?.problemCount == zip.media?.problemCount && report.media != nil)
            #expect(report.notProved == zip.notProved && report.container != nil)
        }
    }

    @Test func `damage inside of a plain tar is found by the pages`() throws {
        var bytes = try account.fileSystem.contents(of: tar, limit: 1 << 30)
        bytes[512 + 4096 * 3 + 700] ^= 1
        try account.fileSystem.replace(tar, with: bytes)
        let report = try ArchiveVerification().verify(tar, passphrase: SampleAccountFixture.key())
        #expect(report.verdict == .damaged && report.chat?.isIntact == false)
    }

    @Test func `a refused container is a verdict with its entry`() throws {
        var bytes = try account.fileSystem.contents(of: tar, limit: 1 << 30)
        // The first name becomes one that leads out.
        bytes.replaceSubrange(0..<3, with: Array("../".utf8))
        let sum = bytes[..<512].indices.reduce(0) { $0 + ((148..<156).contains($1) ? 32 : Int(bytes[$1])) }
        let octal = String(sum, radix: 8)
        bytes.replaceSubrange(
            148..<156, with: Array((String(repeating: "0", count: 6 - octal.count) + octal + "\0 ").utf8))
        try account.fileSystem.replace(tar, with: bytes)
        let report = try ArchiveVerification().verify(tar, passphrase: SampleAccountFixture.key())
        #expect(report.verdict == .unsupported)
        #expect(report.structure.refusal?.defect == "nameParent")
        #expect(report.structure.refusal?.entry == "../plex_v1_chat.db")
    }

    // MARK: Salvage

    private var saved: FilePath { account.folder.appending("saved.zip") }

    private func salvage(_ archive: FilePath, _ bytes: [UInt8]) throws -> ArchiveSalvageReport {
        try account.fileSystem.replace(archive, with: bytes)
        return try ArchiveSalvage(.init(replacesFile: true)).run(
            archive, to: saved, passphrase: SampleAccountFixture.key())
    }

    private func bytes(_ archive: FilePath) throws -> [UInt8] {
        try account.fileSystem.contents(of: archive, limit: 1 << 30)
    }

    /// Where the header of an entry begins in the plain tar.
    private func header(of name: String, in bytes: [UInt8]) throws -> Int {
        try #require(
            stride(from: 0, to: bytes.count - 512, by: 512).first { bytes[$0...].starts(with: name.utf8) })
    }

    private func names(_ archive: FilePath) throws -> [String] {
        try ArchiveListing(archive).entries.map(\.name).sorted()
    }

    @Test func `an intact tar is salvaged into a zip of the same entries`() throws {
        for archive in [tar, packed] {
            let report = try salvage(archive, bytes(archive))
            #expect(report.isComplete && report.lost.isEmpty && report.notes.isEmpty)
            #expect(report.container == (archive == tar ? "tar" : "zstd"))
            #expect(report.size == (try account.fileSystem.attributes(of: archive)?.size))
            #expect(try names(saved) == names(account.archive))
            let found = try ArchiveVerification().verify(saved, passphrase: SampleAccountFixture.key())
            let whole = try ArchiveVerification().verify(
                account.archive, passphrase: SampleAccountFixture.key())
            #expect(found.verdict == whole.verdict)
        }
    }

    @Test func `a tar that is cut in its last file loses that one`() throws {
        let bytes = try bytes(tar)
        let last = try #require(try ArchiveListing(tar).entries.last { $0.size > 100 })
        let report = try salvage(tar, Array(bytes[..<(header(of: last.name, in: bytes) + 512 + 50)]))
        #expect(!report.isComplete && report.isImportable && !report.isEverythingNamed)
        #expect(report.lost.map(\.name) == [last.name] && report.lost.first?.offset == nil)
        #expect(report.databases.allSatisfy { $0.state == .whole && $0.isLookedAt })
        #expect(report.notes.count == 1, "\(report.notes)")
        #expect(try names(saved) == report.kept.map(\.name).sorted())
        #expect(try !names(saved).contains(last.name))
        #expect(
            try account.fileSystem.list(account.folder.path).count { $0.name?.contains(".salvage") == true }
                == 0)
    }

    @Test func `of a database that is cut the readable data is recovered`() throws {
        let size = try #require(try ArchiveListing(tar).entries.first?.size)
        for archive in [tar, packed] {
            let bytes = try bytes(archive)
            let cut = archive == tar ? 512 + Int(size) * 3 / 4 : bytes.count / 2
            let report = try salvage(archive, Array(bytes[..<cut]))
            #expect(report.databases.contains { $0.state == .salvaged }, "\(report.databases)")
            #expect(report.notes.count == 1 && !report.isComplete)
            // Without the passphrase its bytes are kept.
            let blind = try ArchiveSalvage(.init(replacesFile: true)).run(archive, to: saved)
            #expect(blind.databases.contains { $0.state == .keptDamaged }, "\(blind.databases)")
            let kept = try ZipIndex(account.fileSystem.openForReading(saved)).entries.map(\.name)
            #expect(kept.contains { $0.hasPrefix("damaged/simplex_v1_") }, "\(kept)")
        }
    }

    @Test func `of a container without any entry nothing is written`() throws {
        let header = try Array(bytes(tar)[..<512])
        let error = #expect(throws: ArchiveSalvageError.self) { try salvage(tar, header) }
        #expect(error?.code == .damaged && error?.message.contains("nothing to recover") == true)
        #expect(try !account.fileSystem.exists(saved))
    }

    @Test func `the same account makes the same tar`() throws {
        for format in [ExportFormat.tar, .tarZstd] {
            let paths = ["1", "2"].map { account.folder.appending("same-\(format.rawValue)-\($0)") }
            let sums = try paths.map {
                try account.export(Self.options(format, reproducible: true), to: $0).sha256
            }
            #expect(sums[0] == sums[1] && sums[0] != nil)
        }
    }

    @Test func `what reads at any place refuses a tar, with a remedy`() throws {
        for archive in [tar, packed] {
            let opening = #expect(throws: ContainerError.self) { _ = try ArchiveStorage(archive) }
            #expect(opening?.code == .unsupported && opening?.remedy == .extractArchive(archive))
        }
        #expect(throws: ZipError.self) { _ = try ArchiveStorage(account.location.path(of: .chat)) }
    }

    @Test func `a full disk ends an export, and leaves nothing`() throws {
        for format in [ExportFormat.tar, .tarZstd] {
            let target = account.folder.appending("full.\(format.rawValue)")
            let fileSystem = FileSystem(
                interposer: FailingWrites(of: PendingFile.partialPath(of: target)))
            let error = #expect(throws: FileError.self) {
                try ArchiveExport(Self.options(format), fileSystem: fileSystem).export(
                    account.location, to: target, passphrase: SampleAccountFixture.key())
            }
            #expect(error?.code == .noSpace)
            #expect(try !account.fileSystem.exists(target))
            #expect(try !account.fileSystem.exists(PendingFile.partialPath(of: target)))
        }
    }

    /// A disk that is full for one file.
    private struct FailingWrites: FileInterposer {
        let path: FilePath

        init(of path: FilePath) { self.path = path }

        func verdict(on operation: FileOperation) -> FileOperationVerdict {
            if case .write(let written, _) = operation, written == path { return .fail(.noSpace) }
            return .proceed
        }
    }
}
