/// Pages as XML, which they are but for their first line: whoever closes less than was opened, or opens what a page does not
/// have, is seen.
struct Markup {
    struct Element {
        let name: String
        let attributes: [String: String]
    }

    private(set) var elements: [Element] = []
    /// What is wrong.
    private(set) var defects: [String] = []
    private var open: [String] = []

    init(_ text: String) {
        // Browsers take marks of HTML alone, whatever combines with them.
        let page = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isASCII ? $0 : "x" }))
        let beginning = "<!DOCTYPE html>"
        if !page.hasPrefix(beginning) { defects.append("does not begin as a page") }
        var rest = page.dropFirst(beginning.count)
        while let start = rest.firstIndex(of: "<") {
            check(text: rest[..<start])
            guard let end = rest[start...].firstIndex(of: ">") else {
                defects.append("a tag without an end")
                return
            }
            tag(rest[rest.index(after: start)..<end])
            rest = rest[rest.index(after: end)...]
        }
        if !open.isEmpty { defects.append("open at the end: \(open)") }
    }

    private mutating func check(text: Substring) {
        if text.contains(">") { defects.append("a bare > in \(text.prefix(60))") }
        for piece in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst()
        where !["amp;", "lt;", "gt;", "quot;", "#39;"].contains(where: piece.hasPrefix) {
            defects.append("a bare & before \(piece.prefix(20))")
        }
        for scalar in text.unicodeScalars where scalar.value < 32 && scalar != "\n" && scalar != "\t" {
            defects.append("a control")
        }
    }

    private mutating func tag(_ tag: Substring) {
        if tag.hasPrefix("/") {
            let name = String(tag.dropFirst())
            if open.popLast() != name { defects.append("</\(name)> closes another one") }
            return
        }
        let isEmpty = tag.hasSuffix("/")
        let content = isEmpty ? tag.dropLast() : tag
        let name = String(content.prefix { $0 != " " })
        var attributes: [String: String] = [:]
        let pattern = #/\ ([a-z-]+)="([^"<]*)"/#
        for match in content.matches(of: pattern) {
            check(text: match.2)
            if attributes.updateValue(String(match.2), forKey: String(match.1)) != nil {
                defects.append("\(name) has \(match.1) twice")
            }
        }
        let attributeTexts = content.matches(of: pattern).map { String($0.0) }
        if content != name + attributeTexts.joined() {
            defects.append("not a tag: \(content.prefix(80))")
        }
        elements.append(Element(name: name, attributes: attributes))
        if !isEmpty { open.append(name) }
    }

    /// The values of an attribute.
    func values(of attribute: String) -> [String] { elements.compactMap { $0.attributes[attribute] } }
}
