import ValiseConcurrency
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// What a repair of a repository did, or would do.
package struct RepairedRepository: OperationReport {
    /// Something that could not be repaired.
    package struct Failed: Sendable, Encodable, Equatable {
        /// The pack or the snapshot.
        package let id: String
        package let message: String

        fileprivate init(_ failed: (id: ContentID, error: any Error)) {
            id = failed.id.text
            message = failed.error.sentence
        }
    }

    /// Of the index.
    package struct Index: Sendable, Encodable, Equatable {
        /// Packs that were in no index.
        package let added: [String]
        /// Packs with another content than the index had.
        package let corrected: [String]
        /// Packs that are not stored any more.
        package let dropped: [String]
        /// Packs whose header cannot be read: they stay.
        package let unreadable: [Failed]
        /// Index files that cannot be read, or say what is wrong.
        package let removedFiles: Int

        init(_ report: IndexRepair.Report) {
            added = report.added.map(\.text)
            corrected = report.corrected.map(\.text)
            dropped = report.dropped.map(\.text)
            unreadable = report.unreadable.map(Failed.init)
            removedFiles = report.removedIndexes
        }

        /// Whether nothing was wrong.
        package var isEmpty: Bool {
            added.isEmpty && corrected.isEmpty && dropped.isEmpty && removedFiles == 0
        }
    }

    /// Of packs.
    package struct Packs: Sendable, Encodable, Equatable {
        /// Those with damage.
        package let damaged: [String]
        /// Pieces of files and folders that were intact in them and are stored again; nil in a plan.
        package let saved: Int?
        /// Pieces that nothing in the repository has any more; nil in a plan.
        package let lost: Int?

        /// - Parameter report: nil in a plan.
        init(damaged: [ContentID], _ report: PackSalvage.Report?) {
            self.damaged = damaged.map(\.text)
            saved = report?.saved
            lost = report?.lost.count
        }
    }

    /// Of snapshots.
    package struct Snapshots: Sendable, Encodable, Equatable {
        /// A snapshot that lost something.
        package struct Repaired: Sendable, Encodable, Equatable {
            package let snapshot: String
            /// The new one; nil in a plan.
            package let replacement: String?
            /// Files and folders that lost something.
            package let entries: [String]
        }

        /// How many lost nothing.
        package let intact: Int
        package let repaired: [Repaired]
        /// Those of which nothing is left, or that cannot be read.
        package let failed: [Failed]

        init(_ outlook: SnapshotRepair.Outlook) {
            intact = outlook.intact
            repaired = outlook.affected.map {
                Repaired(snapshot: $0.id.text, replacement: nil, entries: $0.entries)
            }
            failed = outlook.failed.map(Failed.init)
        }

        init(_ report: SnapshotRepair.Report) {
            intact = report.intact
            repaired = report.repaired.map {
                Repaired(snapshot: $0.snapshot.text, replacement: $0.replacement.text, entries: $0.entries)
            }
            failed = report.failed.map(Failed.init)
        }
    }

    /// Where it is; folders as absolute paths.
    package let place: String
    /// The repository's own ID, in hexadecimal digits.
    package let repository: String
    /// Nil where something else was repaired.
    package internal(set) var index: Index?
    /// Nil where something else was repaired.
    package internal(set) var packs: Packs?
    /// Nil where something else was repaired.
    package internal(set) var snapshots: Snapshots?

    init(_ place: RepositoryPlace, _ opened: OpenedRepository) {
        self.place = place.absoluteText
        repository = opened.repository.config.id.text
    }

    package var entryFailures: [EntryFailure] {
        ((index?.unreadable ?? []) + (snapshots?.failed ?? [])).map {
            EntryFailure($0.id, Remark($0.message))
        }
    }
}
