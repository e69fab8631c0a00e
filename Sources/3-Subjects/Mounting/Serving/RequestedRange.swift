/// Which bytes of a file a request asks for (RFC 9110, section 14).
package enum RequestedRange: Sendable, Equatable {
    case complete
    case part(Range<Int64>)
    /// Nothing of it is there.
    case unsatisfiable

    /// What asks for several parts, or is no range, is answered with the whole.
    /// - Parameters:
    ///   - field: the value of `Range`; nil for none.
    ///   - size: of the file, in bytes.
    package init(_ field: String?, size: Int64) {
        self = .complete
        guard let field, field.lowercased().hasPrefix("bytes=") else { return }
        let bounds = field.dropFirst("bytes=".count).split(
            separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return }
        let (first, last) = (Self.number(bounds[0]), Self.number(bounds[1]))
        switch (first, last) {
        case (let first?, let last?):
            guard first <= last else { return }
            self = first < size ? .part(first..<(last >= size ? size : last + 1)) : .unsatisfiable
        case (let first?, nil) where bounds[1].isEmpty:
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (nil, let count?) where bounds[0].isEmpty:
            self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        default: return
        }
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        // Behind the end of any file all places are alike.
        return Int64(text) ?? .max
    }
}
