/// What becomes of the archive of an export that did not end (decision 53).
package enum ExportContinuation: Sendable, Equatable {
    /// What of an archive is kept.
    package struct Kept: Sendable, Equatable {
        /// The number of entries.
        package var files = 0
        /// Of their files, in bytes.
        package var size: Int64 = 0
    }

    /// Why nothing is kept.
    package enum Reason: Sendable, Equatable {
        /// Too little was written, or that run left nothing.
        case tooLittle
        /// Only a zip can be continued.
        case notAZip
        /// A stream cannot be taken back.
        case stream
        /// A database takes another number of bytes now, and all that follows is at another place.
        case databases
        /// The first of the media files changed or are missing, or others come before them now.
        case media
        /// It was written with other options, or by another version.
        case otherOptions
        /// The journal or the archive is not what was written.
        case damaged
    }

    /// No earlier run left anything.
    case starts
    /// Entries of an earlier run were checked and are kept.
    case continues(Kept)
    /// What an earlier run left cannot be kept.
    case startsAnew(Reason)
    /// This run was stopped, and left this; nil where it left what an earlier run had left, and did not come to it.
    case left(Kept?)
    /// This run was stopped, and left nothing.
    case leftNothing(Reason)
    /// What another export in the same folder had left longer ago than anybody waits was removed: the name of its archive.
    case removedOld(String)
}

extension ArchiveExport {
    /// When the archive is flushed, and its journal tells what is durable.
    package struct Flushing: Sendable {
        /// Behind so many bytes of the archive.
        package var bytes: Int64
        /// Or after such a time.
        package var time: Duration
        /// Or for so many bytes of the journal that wait: memory is bounded, however small the files are.
        package var records: Int

        /// - Parameters:
        ///   - bytes: of the archive.
        ///   - time: since the last time.
        ///   - records: bytes of the journal.
        package init(bytes: Int64 = 256 << 20, time: Duration = .seconds(10), records: Int = 16 << 20) {
            self.bytes = bytes
            self.time = time
            self.records = records
        }
    }
}
