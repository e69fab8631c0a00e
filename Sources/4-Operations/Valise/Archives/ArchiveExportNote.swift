import ValiseConcurrency

/// Why an interrupted export is not continued (decision 0053).
package enum ArchiveExportNote: OperationNote {
    /// It was stopped.
    case nothingKept
    /// An earlier run of the same export was stopped, killed, or without free space.
    case startsAnew

    package var text: String {
        switch self {
        case .nothingKept:
            "nothing of the unfinished archive was kept. The next export starts from the beginning, because "
                + Self.reason
        case .startsAnew:
            "an earlier run of this export did not end. This one starts from the beginning, because "
                + Self.reason
        }
    }

    private static let reason = "the databases and media in an archive must be of one moment"
}
