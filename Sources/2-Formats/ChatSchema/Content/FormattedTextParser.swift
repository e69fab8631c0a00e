/// Parses a message line by line, at each position by its next character.
///
/// Whatever follows no rule goes to the end of its word, and what is looked for beyond a word is looked for once: so the time
/// is proportional to the length, whatever the text is.
struct FormattedTextParser {
    typealias Piece = ArraySlice<Unicode.Scalar>

    /// What is parsed.
    let text: [Unicode.Scalar]
    /// Where the line ends that is parsed.
    private(set) var lineEnd = 0
    private(set) var position = 0
    private var parts: [FormattedText.Part] = []
    /// Where the text begins that has no format and is in no part yet.
    private var unformatted = 0
    /// The first `]` at the position or after it; the end of the text where there is none.
    private var bracket = -1

    init(_ text: Substring) {
        self.text = Self.asciiScalars(text) ?? Array(text.unicodeScalars)
    }

    /// Most texts are ASCII, where each byte is a scalar: read from their memory that takes a fifth of the time. Nil for others.
    private static func asciiScalars(_ text: Substring) -> [Unicode.Scalar]? {
        let scalars = unsafe text.utf8.withContiguousStorageIfAvailable { bytes -> [Unicode.Scalar]? in
            let isASCII = unsafe bytes.reduce(0 as UInt8) { $0 | $1 } < 128
            return isASCII ? unsafe bytes.map { Unicode.Scalar($0) } : nil
        }
        return scalars.flatMap { $0 }
    }

    /// From so many scalars on, room is kept for as many parts as there can be, which are two of `#a `: what is not used of it is no
    /// memory.
    private static let longText = 1 << 16

    /// The parts of the text. Line feeds have no format.
    mutating func parse() -> [FormattedText.Part] {
        if text.count > Self.longText { parts.reserveCapacity(text.count / 3 * 2 + 2) }
        while position < text.count {
            lineEnd = text[position...].firstIndex(of: "\n") ?? text.count
            while position < lineEnd { step() }
            position = lineEnd + 1
        }
        addUnformatted(until: text.count)
        return parts
    }

    private mutating func step() {
        switch text[position] {
        case " ": position = end(from: position) { $0 == " " }
        case "*": delimited(.bold)
        case "_": delimited(.italic)
        case "~": delimited(.strikethrough)
        case "`": delimited(.code)
        case "#": if !secret(), !simplexName(labels: 1) { position = wordEnd(from: position) }
        case "!": if !colored() { word() }
        case "@": if !simplexName(labels: 2), !mention() { word() }
        case "/": if !command() { word() }
        case "[": if !namedLink() { word() }
        case "+", "0"..."9": if !phone() { word() }
        default: word()
        }
    }

    // MARK: Parts

    /// Adds a part and continues at `end`. Neighbors with the same format are one part.
    ///
    /// - Returns: true, so that a rule can end with it.
    @discardableResult
    mutating func add(_ format: TextFormat, _ piece: Range<Int>, to end: Int) -> Bool {
        addUnformatted(until: position)
        let shown = Self.text(text[piece])
        if let last = parts.indices.last, parts[last].format == format {
            parts[last].text += shown
        } else {
            parts.append(FormattedText.Part(format: format, text: shown))
        }
        position = end
        unformatted = end
        return true
    }

    private mutating func addUnformatted(until end: Int) {
        guard unformatted < end else { return }
        parts.append(FormattedText.Part(format: nil, text: Self.text(text[unformatted..<end])))
    }

    /// By its bytes: appending to a string takes many times as long.
    static func text(_ piece: Piece) -> String {
        unsafe piece.withUnsafeBufferPointer { scalars in
            let count = unsafe scalars.reduce(0) { $0 + UTF8.width($1) }
            return unsafe String(unsafeUninitializedCapacity: count) { bytes in
                var place = 0
                for index in scalars.indices {
                    let scalar = unsafe scalars[index]
                    if scalar.value < 128 {
                        unsafe bytes[place] = UInt8(truncatingIfNeeded: scalar.value)
                        place += 1
                    } else if let units = UTF8.encode(scalar) {
                        for unit in units {
                            unsafe bytes[place] = unit
                            place += 1
                        }
                    }
                }
                return place
            }
        }
    }

    /// The place of the first scalar from `start` on that is no part; the end where there is none.
    func end(from start: Int, while isPart: (Unicode.Scalar) -> Bool) -> Int {
        var place = start
        while place < lineEnd, isPart(text[place]) { place += 1 }
        return place
    }

    /// The place of the next space; the end where there is none.
    func wordEnd(from start: Int) -> Int { end(from: start) { $0 != " " } }

    /// The first `]` from the position on. A text may have many that open a name and none that closes it.
    mutating func nextBracket() -> Int {
        if bracket < position { bracket = text[position...].firstIndex(of: "]") ?? text.count }
        return bracket
    }

    // MARK: Delimited

    /// Without a closing delimiter everything to the end of the line has no format.
    private mutating func delimited(_ format: TextFormat) {
        let start = position + 1
        guard let close = text[start..<lineEnd].firstIndex(of: text[position]) else {
            position = lineEnd
            return
        }
        if Self.isTight(text[start..<close]) {
            add(format, start..<close, to: close + 1)
        } else {
            position = close + 1
        }
    }

    private static func isTight(_ piece: Piece) -> Bool {
        guard let first = piece.first, let last = piece.last else { return false }
        return first != " " && last != " "
    }

    /// All after the first `#` and before the last one of those that close it.
    private mutating func secret() -> Bool {
        let start = end(from: position) { $0 == "#" }
        let stop = end(from: start) { $0 != "#" }
        guard stop < lineEnd, Self.isTight(text[start..<stop]) else { return false }
        let close = end(from: stop) { $0 == "#" }
        return add(.secret, (position + 1)..<(close - 1), to: close)
    }

    private static let colors: [Unicode.Scalar: (rest: String, color: TextColor)] = [
        "1": ("", .red), "2": ("", .green), "3": ("", .blue), "4": ("", .yellow), "5": ("", .cyan),
        "6": ("", .magenta), "r": ("ed", .red), "g": ("reen", .green), "b": ("lue", .blue),
        "y": ("ellow", .yellow), "c": ("yan", .cyan), "m": ("agenta", .magenta),
    ]

    private mutating func colored() -> Bool {
        var start = position + 1
        guard start < lineEnd else { return false }
        let format: TextFormat
        if text[start] == "-" {
            format = .small
        } else if let (rest, color) = Self.colors[text[start]] {
            format = .colored(color)
            if text[(start + 1)..<lineEnd].starts(with: rest.unicodeScalars) {
                start += rest.unicodeScalars.count
            }
        } else {
            return false
        }
        start += 2
        guard start < lineEnd, text[start - 1].isSpace, text[start] != " ",
            let close = text[start..<lineEnd].firstIndex(of: "!"), close > start, text[close - 1] != " "
        else { return false }
        return add(format, start..<close, to: close + 1)
    }

    // MARK: Words

    /// Up to the next space; punctuation at its end has no format.
    private mutating func word() {
        let end = wordEnd(from: position)
        defer { position = end }
        // No address is without one of these.
        guard self.end(from: position, while: { $0 != " " && $0 != "." && $0 != "@" && $0 != ":" }) < end
        else {
            return
        }
        var stop = end
        while stop > position, text[stop - 1].isPunctuation, !"/)_!".unicodeScalars.contains(text[stop - 1]) {
            stop -= 1
        }
        if let format = WebAddress.format(of: text[position..<stop]) {
            add(format, position..<stop, to: stop)
        }
    }
}
