import ValiseEncoding

/// The text form of a file of age: Base 64 in lines of 64 characters between two marks.
enum AgeArmor {
    private static let begin = "-----BEGIN AGE ENCRYPTED FILE-----"
    private static let end = "-----END AGE ENCRYPTED FILE-----"
    private static let width = 64

    /// The bytes; nil where the text has another form. Blanks around it, and line breaks of both kinds, are allowed.
    static func decode(_ text: String) -> [UInt8]? {
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        let content = lines.drop { $0.allSatisfy(\.isWhitespace) }.dropLast(where: {
            $0.allSatisfy(\.isWhitespace)
        })
        guard content.count >= 2, content.first == begin[...], content.last == end[...] else { return nil }
        let body = content.dropFirst().dropLast()
        // A shorter line is the last one.
        guard body.dropLast().allSatisfy({ $0.utf8.count == width }),
            let last = body.last, (1...width).contains(last.utf8.count)
        else { return nil }
        return StrictBase64.decode(body.joined(separator: "").utf8, isPadded: true)
    }

    /// The text, with a line break at its end.
    static func encode(_ bytes: [UInt8]) -> String {
        var rest = Base64.encode(bytes)[...]
        var lines = [begin]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(width)))
            rest = rest.dropFirst(width)
        }
        return (lines + [end]).joined(separator: "\n") + "\n"
    }
}

extension ArraySlice {
    fileprivate func dropLast(where isDropped: (Element) -> Bool) -> ArraySlice {
        var rest = self
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return rest
    }
}
