import ValiseEncoding
import ValiseFailures

/// A file as a link: the description for its recipient, and what an app adds to it (fact sheet, §7.4, §7.5).
///
/// Who has the link has the file: links come out in guarded memory, and what they hold is never printed by this module.
public struct FileLink: Sendable {
    /// Of a recipient.
    package let description: FileDescription
    /// JSON of an app, as text; nil where there is none. From a stranger: it may be no JSON at all.
    package let data: String?

    /// How long a link may be to be a QR code that phones read; a longer one is replaced by one with a redirect.
    package static let longestForQRCode = 1002
    /// The most bytes of ``data``.
    package static let largestData = 1 << 16

    /// - Parameters:
    ///   - description: what the link leads to.
    ///   - data: JSON, or nil.
    /// - Throws: ``XFTPWireError``: `invalid` for a sender's description, and for data that is no JSON or too large.
    package init(_ description: FileDescription, data: String? = nil) throws(XFTPWireError) {
        try description.check(isFor: .recipient)
        if let data {
            guard data.utf8.count <= Self.largestData, Self.isJSON(data) else {
                throw XFTPWireError(
                    .invalid, "link data must be JSON of at most \(Self.largestData) bytes")
            }
        }
        self.description = description
        self.data = data
    }

    init(reading description: FileDescription, data: String?) throws(XFTPWireError) {
        try description.check(isFor: .recipient)
        self.description = description
        self.data = data
    }

    /// A value that has anything in it.
    private struct AnyValue: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    private static func isJSON(_ text: String) -> Bool {
        (try? JSONText.decode(AnyValue.self, from: text)) != nil
    }
}
