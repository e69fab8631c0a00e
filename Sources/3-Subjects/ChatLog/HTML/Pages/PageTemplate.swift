/// The frame of a page: what Mustache (mustache.github.io) has of values, sections, inverted sections, comments and partials.
///
/// A library would bring all of Foundation into every program (decision 0057).
struct PageTemplate: Sendable {
    private indirect enum Piece: Sendable {
        case text(String)
        case value(String, isRaw: Bool)
        case section(String, isInverted: Bool, [Piece])
        case partial(String)
    }

    /// What is wrong with a template.
    struct Defect: Error {
        let message: String
    }

    private let pieces: [Piece]

    // MARK: Parsing

    /// - Throws: ``Defect`` for a tag or a section that does not end.
    init(_ text: String) throws(Defect) {
        var rest = Substring(text)
        pieces = try Self.parse(&rest, in: nil, depth: 0)
    }

    /// Sections in each other.
    private static let deepest = 16

    private static func parse(
        _ rest: inout Substring, in section: String?, depth: Int
    ) throws(Defect) -> [Piece] {
        guard depth <= deepest else {
            throw Defect(message: "more than \(deepest) sections are in each other")
        }
        var pieces: [Piece] = []
        while let start = rest.firstRange(of: "{{") {
            if start.lowerBound > rest.startIndex { pieces.append(.text(String(rest[..<start.lowerBound]))) }
            rest = rest[start.upperBound...]
            let isRaw = rest.first == "{"
            guard let end = rest.firstRange(of: isRaw ? "}}}" : "}}") else {
                throw Defect(message: "a tag does not end: {{\(rest.prefix(20))")
            }
            let tag = rest[..<end.lowerBound].dropFirst(isRaw ? 1 : 0)
            rest = rest[end.upperBound...]
            if tag.first == "/" {
                guard name(tag.dropFirst()) == section else {
                    throw Defect(message: "a section ends that did not begin: \(tag.dropFirst())")
                }
                return pieces
            }
            if let piece = try piece(tag, isRaw: isRaw, &rest, depth) { pieces.append(piece) }
        }
        guard section == nil else { throw Defect(message: "the section \(section ?? "") does not end") }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return pieces
    }

    private static func piece(
        _ tag: Substring, isRaw: Bool, _ rest: inout Substring, _ depth: Int
    ) throws(Defect) -> Piece? {
        switch tag.first {
        case "!": return nil
        case ">": return .partial(name(tag.dropFirst()))
        case "&": return .value(name(tag.dropFirst()), isRaw: true)
        case "#", "^":
            let name = name(tag.dropFirst())
            return .section(name, isInverted: tag.first == "^", try parse(&rest, in: name, depth: depth + 1))
        default: return .value(name(tag), isRaw: isRaw)
        }
    }

    private static func name(_ text: Substring) -> String {
        String(text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
    }

    // MARK: Rendering

    /// - Parameters:
    ///   - values: texts, truth values, lists and objects by their names. What has no value is nothing.
    ///   - partials: by their names.
    func render(_ values: [String: Any], partials: [String: PageTemplate]) -> String {
        var output = ""
        Self.render(pieces, [values], partials, open: [], to: &output)
        return output
    }

    /// - Parameter open: the partials that this is in. None comes in itself, which would have no end.
    private static func render(
        _ pieces: [Piece], _ context: [Any], _ partials: [String: PageTemplate], open: [String],
        to output: inout String
    ) {
        for piece in pieces {
            switch piece {
            case .text(let text): output += text
            case .value(let name, let isRaw):
                guard let value = value(name, context) else { continue }
                output += isRaw ? "\(value)" : escaped("\(value)")
            case .section(let name, let isInverted, let inner):
                let elements = elements(of: value(name, context))
                if isInverted {
                    if elements.isEmpty { render(inner, context, partials, open: open, to: &output) }
                } else {
                    for element in elements {
                        render(inner, context + [element], partials, open: open, to: &output)
                    }
                }
            case .partial(let name):
                guard let partial = partials[name], !open.contains(name) else { continue }
                render(partial.pieces, context, partials, open: open + [name], to: &output)
            }
        }
    }

    private static func value(_ name: String, _ context: [Any]) -> Any? {
        if name == "." { return context.last }
        for values in context.reversed() {
            if let found = (values as? [String: Any])?[name] { return found }
        }
        return nil
    }

    /// How often a section comes, and for what.
    private static func elements(of value: Any?) -> [Any] {
        switch value {
        case nil: []
        case let isTrue as Bool: isTrue ? [isTrue] : []
        case let list as [Any]: list
        case let text as String: text.isEmpty ? [] : [text]
        case let other?: [other]
        }
    }

    /// By bytes: a mark of HTML with an accent on it is one for a browser, too.
    private static func escaped(_ text: String) -> String {
        var html = HTMLBuffer()
        html.escape(text)
        return String(decoding: html.bytes, as: UTF8.self)
    }
}
