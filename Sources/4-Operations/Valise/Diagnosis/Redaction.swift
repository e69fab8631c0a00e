import SystemPackage
import ValiseFailures

/// Puts numbers in the place of what a report must not name: the same path has the same number everywhere in it, and no other.
struct Redaction {
    private let home: FilePath?
    private var numbers: [String: Int] = [:]
    private var counts: [String: Int] = [:]

    /// - Parameter home: what is below it is told from what is elsewhere.
    init(home: FilePath?) { self.home = home?.lexicallyNormalized() }

    /// The text as a report has it.
    mutating func text(_ text: RedactableText) -> String {
        var result = ""
        for part in text.parts { result += self.text(part) }
        return result
    }

    private mutating func text(_ part: RedactableText.Part) -> String {
        switch part {
        case .words(let text): text
        case .path(let path): place(path)
        case .relay(let name): number("relay", of: name)
        case .title: "(title)"
        case .failure(let code, _): "failure '\(code.rawValue)'"
        }
    }

    private mutating func place(_ path: FilePath) -> String {
        let path = path.lexicallyNormalized()
        guard let home, !home.isEmpty, path.starts(with: home) else { return number("path", of: path.string) }
        return path == home ? "~" : "~/" + number("path", of: path.string)
    }

    private mutating func number(_ kind: String, of name: String) -> String {
        let key = "\(kind) \(name)"
        if let known = numbers[key] { return "\(kind)-\(known)" }
        let next = counts[kind, default: 0] + 1
        (counts[kind], numbers[key]) = (next, next)
        return "\(kind)-\(next)"
    }
}
