/// Reads the block style of YAML as file descriptions have it, and as much around it as a hand or another program
/// may add: comments, quotes of both kinds, CR LF, keys and nested values that mean nothing here.
///
/// No anchors, aliases, tags, documents behind the first, or scalars of several lines: nothing of the text can stand
/// for more than itself. Time and memory grow with the text, whose size is capped (decision 30).
@safe struct YAMLReader {
    static let largestText = 8 << 20
    static let mostLines = 1 << 17
    static let deepestNesting = 16

    /// A line that is neither empty nor a comment.
    private struct Line {
        let number: Int
        /// How many spaces are before the content; behind a dash, the column of what follows it.
        var indent: Int
        var start: Int
        let end: Int
    }

    private let text: UnsafeRawBufferPointer
    private var lines: [Line] = []
    private var next = 0

    /// The root of a text, which must live as long as its nodes.
    /// - Throws: ``YAMLFault``.
    static func read(_ text: UnsafeRawBufferPointer) throws(YAMLFault) -> YAMLNode {
        var reader = try unsafe YAMLReader(text)
        guard !reader.lines.isEmpty else { throw YAMLFault(reason: "empty", line: 1) }
        let root = try reader.node(depth: 0)
        if let line = reader.line {
            throw YAMLFault(reason: "wrong indentation", line: line.number)
        }
        return root
    }

    private var line: Line? { next < lines.count ? lines[next] : nil }

    // MARK: Lines

    private init(_ text: UnsafeRawBufferPointer) throws(YAMLFault) {
        unsafe self.text = unsafe text
        guard text.count <= Self.largestText else { throw YAMLFault(reason: "too large", line: 1) }
        var start = unsafe text.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        var number = 0
        while start < text.count {
            number += 1
            guard number <= Self.mostLines else {
                throw YAMLFault(reason: "too many lines", line: number)
            }
            let end = unsafe text[start...].firstIndex(of: .lineFeed) ?? text.count
            if try !add(start..<end, number) { break }
            start = end + 1
        }
    }

    /// - Returns: false at the end of the document.
    private mutating func add(_ range: Range<Int>, _ number: Int) throws(YAMLFault) -> Bool {
        var end = range.upperBound
        while end > range.lowerBound, unsafe text[end - 1].isBlank || text[end - 1] == .carriageReturn {
            end -= 1
        }
        var start = range.lowerBound
        while start < end, unsafe text[start] == .space { start += 1 }
        if unsafe start == end || text[start] == .hash { return true }
        guard unsafe text[start] != .tab else {
            throw YAMLFault(reason: "tab instead of spaces", line: number)
        }
        let content = unsafe text[start..<end]
        if start == range.lowerBound {
            if unsafe content.elementsEqual("...".utf8) { return false }
            if unsafe content.elementsEqual("---".utf8) {
                guard lines.isEmpty else {
                    throw YAMLFault(reason: "more than one document", line: number)
                }
                return true
            }
        }
        lines.append(Line(number: number, indent: start - range.lowerBound, start: start, end: end))
        return true
    }

    // MARK: Structure

    /// What begins with the next line: there is one.
    private mutating func node(depth: Int) throws(YAMLFault) -> YAMLNode {
        let line = lines[next]
        guard depth < Self.deepestNesting else {
            throw YAMLFault(reason: "nested too deeply", line: line.number)
        }
        if isItem(line) { return try sequence(indent: line.indent, depth: depth) }
        if try keyEnd(line) != nil { return try mapping(indent: line.indent, depth: depth) }
        next += 1
        return try value(line, from: line.start)
    }

    private mutating func sequence(indent: Int, depth: Int) throws(YAMLFault) -> YAMLNode {
        var items: [YAMLNode] = []
        while let line, line.indent == indent, isItem(line) {
            var start = line.start + 1
            while start < line.end, unsafe text[start] == .space { start += 1 }
            if unsafe start == line.end || text[start] == .hash {
                next += 1
                items.append(try nested(deeperThan: indent, depth: depth))
            } else {
                // What follows the dash is a line of its own, further in.
                lines[next].indent = indent + start - line.start
                lines[next].start = start
                items.append(try node(depth: depth + 1))
            }
        }
        return .sequence(items)
    }

    private mutating func mapping(indent: Int, depth: Int) throws(YAMLFault) -> YAMLNode {
        var entries: [(key: YAMLScalar, value: YAMLNode)] = []
        while let line, line.indent == indent, !isItem(line) {
            guard let (key, end) = try keyEnd(line) else {
                throw YAMLFault(reason: "missing key", line: line.number)
            }
            next += 1
            var start = end
            while start < line.end, unsafe text[start].isBlank { start += 1 }
            if unsafe start == line.end || text[start] == .hash {
                entries.append((key, try nested(deeperThan: indent, depth: depth, orItemsAt: indent)))
            } else if unsafe text[start] == .bar || text[start] == .greater {
                while let line = self.line, line.indent > indent { next += 1 }
                entries.append((key, .other))
            } else {
                entries.append((key, try value(line, from: start)))
            }
        }
        return .mapping(entries)
    }

    /// What stands below a key or a dash; items may begin in the key's own column.
    private mutating func nested(
        deeperThan indent: Int, depth: Int, orItemsAt itemIndent: Int? = nil
    ) throws(YAMLFault) -> YAMLNode {
        guard let line, line.indent > indent || (line.indent == itemIndent && isItem(line)) else {
            return .other
        }
        return try node(depth: depth + 1)
    }

    private func isItem(_ line: Line) -> Bool {
        unsafe text[line.start] == .dash && (line.start + 1 == line.end || text[line.start + 1] == .space)
    }

    /// The key that a line begins with, and where its colon ends; nil where it begins with none.
    private func keyEnd(_ line: Line) throws(YAMLFault) -> (YAMLScalar, Int)? {
        if unsafe text[line.start].isQuote {
            let key = try quoted(line, from: line.start)
            var colon = key.range.upperBound + 1
            while colon < line.end, unsafe text[colon].isBlank { colon += 1 }
            guard colon < line.end, unsafe text[colon] == .colon else { return nil }
            return (key, colon + 1)
        }
        for place in line.start..<line.end {
            if unsafe text[place] == .hash, place > line.start, unsafe text[place - 1].isBlank { return nil }
            guard unsafe text[place] == .colon, unsafe place + 1 == line.end || text[place + 1].isBlank else {
                continue
            }
            return (YAMLScalar(range: line.start..<place, style: .plain, hasEscapes: false), place + 1)
        }
        return nil
    }

    // MARK: Scalars

    private func value(_ line: Line, from start: Int) throws(YAMLFault) -> YAMLNode {
        switch unsafe text[start] {
        case .singleQuote, .doubleQuote:
            let scalar = try quoted(line, from: start)
            var rest = scalar.range.upperBound + 1
            let isSeparated = unsafe rest == line.end || text[rest].isBlank
            while rest < line.end, unsafe text[rest].isBlank { rest += 1 }
            guard isSeparated, unsafe rest == line.end || text[rest] == .hash else {
                throw YAMLFault(reason: "unexpected text after a quoted value", line: line.number)
            }
            return .scalar(scalar)
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            return .other
        case UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "!"):
            throw YAMLFault(reason: "anchors, aliases and tags are not supported", line: line.number)
        case UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"), .bar, .greater:
            throw YAMLFault(
                reason: "a value starts with an invalid character", line: line.number)
        default:
            return .scalar(plain(line, from: start))
        }
    }

    /// Up to a comment.
    private func plain(_ line: Line, from start: Int) -> YAMLScalar {
        var end = start + 1
        while end < line.end, unsafe !(text[end] == .hash && text[end - 1].isBlank) { end += 1 }
        while end > start, unsafe text[end - 1].isBlank { end -= 1 }
        return YAMLScalar(range: start..<end, style: .plain, hasEscapes: false)
    }

    private func quoted(_ line: Line, from start: Int) throws(YAMLFault) -> YAMLScalar {
        let quote = unsafe text[start]
        var hasEscapes = false
        var place = start + 1
        while place < line.end {
            if quote == .doubleQuote, unsafe text[place] == .backslash {
                hasEscapes = true
                place += 2
            } else if unsafe text[place] != quote {
                place += 1
            } else if quote == .singleQuote, place + 1 < line.end, unsafe text[place + 1] == quote {
                hasEscapes = true
                place += 2
            } else {
                let style: YAMLScalar.Style = quote == .singleQuote ? .singleQuoted : .doubleQuoted
                return YAMLScalar(range: start + 1..<place, style: style, hasEscapes: hasEscapes)
            }
        }
        throw YAMLFault(reason: "unclosed quote", line: line.number)
    }
}

extension UInt8 {
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
    fileprivate static let tab = UInt8(ascii: "\t")
    fileprivate static let space = UInt8(ascii: " ")
    fileprivate static let hash = UInt8(ascii: "#")
    fileprivate static let dash = UInt8(ascii: "-")
    fileprivate static let colon = UInt8(ascii: ":")
    fileprivate static let bar = UInt8(ascii: "|")
    fileprivate static let greater = UInt8(ascii: ">")
    fileprivate static let singleQuote = UInt8(ascii: "'")
    fileprivate static let doubleQuote = UInt8(ascii: "\"")
    fileprivate static let backslash = UInt8(ascii: "\\")

    fileprivate var isBlank: Bool { self == .space || self == .tab }
    fileprivate var isQuote: Bool { self == .singleQuote || self == .doubleQuote }
}
