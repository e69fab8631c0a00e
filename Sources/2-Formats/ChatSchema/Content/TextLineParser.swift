/// Parses one line of a message, at each position by its next character.
///
/// Whatever follows no rule goes to the end of its word, and what is looked for beyond a word is looked for once: so the time
/// is proportional to the length, whatever the line is.
struct TextLineParser {
    typealias Piece = ArraySlice<Unicode.Scalar>

    /// What is parsed.
    let line: [Unicode.Scalar]
    private(set) var position = 0
    private var parts: [FormattedText.Part] = []
    /// Where the text begins that has no format and is in no part yet.
    private var unformatted = 0
    /// The first `]` at the position or after it; the end where there is none.
    private var bracket = -1

    init(_ line: Substring) {
        let bytes = Array(line.utf8)
        // Most lines are ASCII, where each byte is a scalar.
        self.line =
            bytes.allSatisfy { $0 < 128 } ? bytes.map { Unicode.Scalar($0) } : Array(line.unicodeScalars)
    }

    /// The parts of the line.
    mutating func parse() -> [FormattedText.Part] {
        while position < line.count { step() }
        addUnformatted(until: line.count)
        return parts
    }

    private mutating func step() {
        switch line[position] {
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

    /// Adds a part and continues at `end`.
    ///
    /// - Returns: true, so that a rule can end with it.
    @discardableResult
    mutating func add(_ format: TextFormat, _ text: Range<Int>, to end: Int) -> Bool {
        addUnformatted(until: position)
        parts.append(FormattedText.Part(format: format, text: Self.text(line[text])))
        position = end
        unformatted = end
        return true
    }

    private mutating func addUnformatted(until end: Int) {
        guard unformatted < end else { return }
        parts.append(FormattedText.Part(format: nil, text: Self.text(line[unformatted..<end])))
    }

    /// By its bytes: appending to a string takes many times as long.
    static func text(_ piece: Piece) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(piece.count)
        for scalar in piece {
            if scalar.value < 128 {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else if let units = UTF8.encode(scalar) {
                bytes.append(contentsOf: units)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The place of the first scalar from `start` on that is no part; the end where there is none.
    func end(from start: Int, while isPart: (Unicode.Scalar) -> Bool) -> Int {
        var place = start
        while place < line.count, isPart(line[place]) { place += 1 }
        return place
    }

    /// The place of the next space; the end where there is none.
    func wordEnd(from start: Int) -> Int { end(from: start) { $0 != " " } }

    /// The first `]` from the position on. A line may have many that open a name and none that closes it.
    mutating func nextBracket() -> Int {
        if bracket < position { bracket = line[position...].firstIndex(of: "]") ?? line.count }
        return bracket
    }

    // MARK: Delimited

    /// Without a closing delimiter everything to the end of the line has no format.
    private mutating func delimited(_ format: TextFormat) {
        let start = position + 1
        guard let close = line[start...].firstIndex(of: line[position]) else {
            position = line.count
            return
        }
        if Self.isTight(line[start..<close]) {
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
        guard stop < line.count, Self.isTight(line[start..<stop]) else { return false }
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
        guard start < line.count else { return false }
        let format: TextFormat
        if line[start] == "-" {
            format = .small
        } else if let (rest, color) = Self.colors[line[start]] {
            format = .colored(color)
            if line[(start + 1)...].starts(with: rest.unicodeScalars) { start += rest.unicodeScalars.count }
        } else {
            return false
        }
        start += 2
        guard start < line.count, line[start - 1].isSpace, line[start] != " ",
            let close = line[start...].firstIndex(of: "!"), close > start, line[close - 1] != " "
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
        while stop > position, line[stop - 1].isPunctuation, !"/)_!".unicodeScalars.contains(line[stop - 1]) {
            stop -= 1
        }
        if let format = WebAddress.format(of: line[position..<stop]) {
            add(format, position..<stop, to: stop)
        }
    }
}
