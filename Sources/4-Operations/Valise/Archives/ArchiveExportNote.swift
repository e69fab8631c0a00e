package import ValiseAccountArchives
import ValiseConcurrency
import ValiseEncoding

/// What becomes of the archive of an interrupted export (decision 0053).
package enum ArchiveExportNote: OperationNote {
    /// An earlier run was stopped or killed, and this one keeps what it can of its archive.
    case continues(ExportContinuation.Kept)
    /// An earlier run was stopped, killed, or without free space, and nothing of its archive is kept.
    case startsAnew(ExportContinuation.Reason)
    /// It was stopped, and left this; nil where that is what an earlier run had left.
    case left(ExportContinuation.Kept?)
    /// It was stopped, and left nothing.
    case nothingKept(ExportContinuation.Reason)
    /// The unfinished archive of another export was removed.
    case removedOld(String)

    /// - Parameter isResumed: whether an earlier run of the same job did not end.
    /// - Returns: nil for nothing to say.
    init?(_ continuation: ExportContinuation, isResumed: Bool) {
        switch continuation {
        case .starts where isResumed: self = .startsAnew(.tooLittle)
        case .starts: return nil
        case .continues(let kept): self = .continues(kept)
        case .startsAnew(let reason): self = .startsAnew(reason)
        case .left(let kept): self = .left(kept)
        case .leftNothing(let reason): self = .nothingKept(reason)
        case .removedOld(let archive): self = .removedOld(archive)
        }
    }

    package var text: String {
        switch self {
        case .continues(let kept):
            "resuming an interrupted export; checked and kept: \(Self.text(kept))"
        case .startsAnew(let reason):
            "an earlier run of this export was interrupted. This one starts from the beginning, because "
                + Self.text(reason)
        case .left(let kept?):
            "the unfinished archive was kept, with \(Self.text(kept)). " + Self.continued
        case .left(nil): "the unfinished archive of an earlier run was kept. " + Self.continued
        case .nothingKept(let reason):
            "the unfinished archive was not kept. The next export starts from the beginning, because "
                + Self.text(reason)
        case .removedOld(let archive):
            "removed an unfinished archive that was more than a week old: \(archive)"
        }
    }

    private static let continued = "The next export to the same name within a week continues it."

    private static func text(_ kept: ExportContinuation.Kept) -> String {
        "\(Count.text(kept.files, "media file")) (\(Count.bytes(kept.size)))"
    }

    private static func text(_ reason: ExportContinuation.Reason) -> String {
        switch reason {
        case .tooLittle: "too little of the archive was written to continue it"
        case .notAZip: "only a zip archive can be continued"
        case .stream: "a stream cannot be continued"
        case .databases:
            "the databases changed in size, and an archive begins with them"
        case .media: "the media changed from the first file on"
        case .otherOptions: "the earlier run had other options or was made by another version"
        case .damaged: "the unfinished archive is damaged"
        }
    }
}
