import ValiseFailures
import ValiseRepository
import ValiseStorage

/// What a verification of a repository found.
package struct VerifiedRepository: OperationReport {
    /// Something that is wrong, or only not as it should be.
    package struct Finding: Sendable, Encodable, Equatable {
        /// Such as `missing-pack`.
        package let kind: String
        /// Whether something is lost or wrong.
        package let isError: Bool
        /// One clause without the name of the file.
        package let message: String
        /// The file in the repository; nil for what is in no file, or in many.
        package let file: String?
        /// The snapshots that lose something by it.
        package let snapshots: [String]
    }

    /// What a snapshot loses.
    package struct Loss: Sendable, Encodable, Equatable {
        package let snapshot: String
        /// Files and folders.
        package let entries: Int
        /// Paths of some of them.
        package let examples: [String]
    }

    /// Where it is; folders as absolute paths.
    package let place: String
    /// The repository's own ID, in hexadecimal digits.
    package let repository: String
    /// Whether there is no error.
    package let isIntact: Bool
    package let snapshots: Int
    package let indexes: Int
    package let packs: Int
    package let blobs: Int
    package let trees: Int
    package let usedBlobs: Int
    /// All packs, in bytes.
    package let storedBytes: Int64
    /// Packs whose data was read.
    package let readPacks: Int
    package let readBytes: Int64
    /// How much of the data was read, such as `all` or `1/7`; nil for none.
    package let extent: String?
    /// Whether a part was asked for, and that of today was read before.
    package let isReadToday: Bool
    /// Errors first.
    package let findings: [Finding]
    /// Findings that are not listed because there are too many of their kind.
    package let omitted: Int
    /// Snapshots that cannot be restored completely.
    package let losses: [Loss]
    /// When all data had been read without an error, in seconds since 1970; nil for never.
    package internal(set) var lastCompleteReading: Int64?
    package internal(set) var seconds: Double = 0

    init(_ place: RepositoryPlace, _ id: ContentID, _ report: CheckReport, _ work: VerificationWork) {
        self.place = place.absoluteText
        repository = id.text
        isIntact = report.isIntact
        (snapshots, indexes, packs) = (report.snapshots, report.indexes, report.packs)
        (blobs, trees, usedBlobs) = (report.blobs, report.trees, report.usedBlobs)
        (storedBytes, readPacks, readBytes) = (report.storedBytes, report.readPacks, report.readBytes)
        extent = work.extent
        isReadToday = work.schedule?.due.isEmpty ?? false
        findings = report.findings.map { finding in
            Finding(
                kind: finding.kind.rawValue, isError: finding.severity == .error, message: finding.message,
                file: finding.file?.description, snapshots: finding.snapshots.map(\.text))
        }
        omitted = report.omitted.values.reduce(0, +)
        losses = report.losses.map {
            Loss(snapshot: $0.snapshot.text, entries: $0.entries, examples: $0.examples)
        }
    }

    /// Errors only.
    package var errors: [Finding] { findings.filter(\.isError) }
    /// Whether index files are wrong, rather than data lost: a repair of the index corrects that.
    package var isIndexWrong: Bool {
        errors.contains { Self.ofIndex.contains($0.kind) }
    }

    /// Whether packs are damaged that are there.
    package var hasDamagedPacks: Bool { errors.contains { Self.ofPacks.contains($0.kind) } }

    private static let ofPacks = Set(
        CheckFinding.Kind.allCases.filter(\.isOfPackContent).map(\.rawValue))
    private static let ofIndex = Set(
        [
            CheckFinding.Kind.unreadableIndex, .missingPack, .wrongPackSize, .brokenLayout,
            .contradictoryIndexes, .wrongHeader,
        ].map(\.rawValue))
}
