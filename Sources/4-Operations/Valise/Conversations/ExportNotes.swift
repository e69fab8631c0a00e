package import ValiseChatLog
import ValiseConcurrency

/// An export failed after it had written something.
package struct KeptExportNote: OperationNote {
    package let text: String

    /// - Parameter place: where what was written is.
    init(in place: String) {
        text = "kept what was exported so far in \(place); the same export continues there"
    }
}

/// An update left forms as the earlier export had made them.
package struct EarlierFormsNote: OperationNote {
    package let formats: [ViewFormat]

    package var text: String {
        "not updated: \(formats.map(\.rawValue).joined(separator: ", "))"
    }

    /// Nil where there are none.
    init?(_ formats: [ViewFormat]) {
        guard !formats.isEmpty else { return nil }
        self.formats = formats
    }
}
