import ValiseConcurrency
import ValiseContentStore
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Verifies a store: each object by its name, each file by its hash, and that nothing is missing. Nothing of it is changed; that it
/// was verified is remembered.
package struct VerifyStore: Operation {
    /// How much of the content is read.
    package enum Reading: Sendable, Equatable {
        case none
        case all
        /// Part `number`, from 1, of `count` parts. All parts together are everything.
        case part(Int, of: Int)

        var share: VerificationShare {
            switch self {
            case .none: .none
            case .all: .all
            case .part(let number, let count): .part(number, of: count)
            }
        }
    }

    package var store: StoreInput
    package var reading = Reading.all
    /// The time of day, in seconds since 1970.
    var clock = UTCTime.clock

    package init(_ store: StoreInput) { self.store = store }

    /// - Throws: `ContentStoreError`: `invalid` for a part that there is not; `StorageError` where the store is not reached.
    package func run(in context: OperationContext) async throws -> VerifiedStore {
        try await store.opened(in: context) { store, progress in
            let report = try StoreVerification(store, reading: reading.share, now: clock).run {
                stage, done, total in
                try progress(
                    OperationProgress(stage.activity, completed: done, total: total, unit: stage.unit))
            }
            var verified = VerifiedStore(self.store.address.absoluteText, report)
            if let count = report.counts[.noKey], count > 0 { context.note(StoreNote.withoutKey(count)) }
            do {
                try StoreMemories(context.folders).update(self.store.address) { memory in
                    memory.remember(
                        StoreMemory.Verification(
                            time: report.ended, hasSucceeded: report.isIntact, extent: verified.extent),
                        reading.share)
                    verified.lastCompleteReading = memory.lastCompleteReading
                }
            } catch let error as FileError {
                // What was asked for is done all the same.
                context.note(StoreNote.notRemembered(error))
            }
            return verified
        }
    }
}

extension VerificationStage {
    fileprivate var activity: String {
        switch self {
        case .files: "verifying files"
        case .manifests: "verifying manifests"
        case .chunks: "verifying chunks"
        case .others: "looking at other objects"
        }
    }
}

extension VerificationStage {
    fileprivate var unit: OperationProgress.Unit {
        switch self {
        case .files, .chunks: .bytes
        case .manifests, .others: .items
        }
    }
}

extension VerificationShare {
    /// For a record.
    var text: String {
        switch self {
        case .none: StoreMemory.none
        case .all: "all"
        case .part(let number, let count): "\(number)/\(count)"
        }
    }
}

/// What a verification of a store found.
package struct VerifiedStore: OperationReport {
    /// Something that is wrong, or only not as it should be.
    package struct Finding: Sendable, Encodable, Equatable {
        /// Such as `missing-chunk`.
        package let kind: String
        /// Whether something is lost or wrong.
        package let isError: Bool
        /// One clause.
        package let message: String
        /// The path of a file, or the name of an object.
        package let subject: String
    }

    /// Where it is; folders as absolute paths.
    package let place: String
    /// Whether there is no error.
    package let isIntact: Bool
    /// How much was read: `all`, such as `1/7`, or `none`.
    package let extent: String
    package let files: Int
    package let symlinks: Int
    package let deleted: Int
    package let folders: Int
    package let manifests: Int
    package let chunks: Int
    /// Of stored chunks, in bytes.
    package let storedSize: Int64
    /// Manifests and chunks that no file has.
    package let orphans: Int
    package let orphanSize: Int64
    /// Copies of entries of deleted files.
    package let trashed: Int
    /// Files whose content has the hash of their manifest.
    package let verifiedFiles: Int
    package let verifiedSize: Int64
    /// Chunks that were read, those of several files as often.
    package let readChunks: Int
    package let readSize: Int64
    /// Errors first.
    package let findings: [Finding]
    /// Findings that are not listed because there are too many of their kind.
    package let omitted: Int
    /// When it began and ended, in UTC.
    package let began: String
    package let ended: String
    /// When all had been read without an error, in seconds since 1970; nil for never.
    package internal(set) var lastCompleteReading: Int64?

    init(_ place: String, _ report: StoreVerificationReport) {
        self.place = place
        isIntact = report.isIntact
        extent = report.share.text
        (files, symlinks) = (report.files, report.symbolicLinks)
        (deleted, folders) = (report.deleted, report.folders)
        (manifests, chunks, storedSize) = (report.manifests, report.chunks, report.chunkBytes)
        (orphans, orphanSize, trashed) = (report.orphans, report.orphanBytes, report.trashed)
        (verifiedFiles, verifiedSize) = (report.verifiedFiles, report.verifiedBytes)
        (readChunks, readSize) = (report.readChunks, report.readBytes)
        findings = report.findings.map { finding in
            Finding(
                kind: finding.kind.rawValue, isError: finding.severity == .error, message: finding.message,
                subject: finding.subject)
        }
        omitted = report.counts.values.reduce(0, +) - report.findings.count
        (began, ended) = (UTCTime(seconds: report.began).isoText, UTCTime(seconds: report.ended).isoText)
    }

    /// Errors only.
    package var errors: [Finding] { findings.filter(\.isError) }
}
