/// By what a row is known, in the order in which SQLite sorts without a collation.
package enum RowKey: Sendable {
    /// Nearly all: no memory of its own is needed.
    case integer(Int64)
    /// Any other.
    case parts([Part])

    /// The value of one column.
    package enum Part: Sendable {
        case null
        case integer(Int64)
        case real(Double)
        case text([UInt8])
        case blob([UInt8])
    }

    /// Of the first columns of a row.
    init(_ row: borrowing Statement, count: Int) {
        if count == 1, case .integer(let number) = Part(row, 0) {
            self = .integer(number)
        } else {
            self = .parts((0..<count).map { Part(row, $0) })
        }
    }

    /// The number; nil where it is anything else.
    package var number: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    private var parts: [Part] {
        switch self {
        case .integer(let number): [.integer(number)]
        case .parts(let parts): parts
        }
    }

    /// Less than zero, zero or more than zero, where this key is before, the same or behind.
    package func order(to other: RowKey) -> Int {
        if case (.integer(let mine), .integer(let others)) = (self, other) {
            return mine < others ? -1 : mine > others ? 1 : 0
        }
        for (mine, others) in zip(parts, other.parts) {
            let order = mine.order(to: others)
            if order != 0 { return order }
        }
        return 0
    }
}

extension RowKey.Part {
    init(_ row: borrowing Statement, _ index: Int) {
        // By bytes: text that is not UTF-8 would become equal to other text.
        if row.storageClass(index) == .text {
            self = unsafe .text(row.withBytes(index) { unsafe Array($0) })
            return
        }
        self =
            switch row.value(index) {
            case .null: .null
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            case .text(let text): .text(Array(text.utf8))
            case .blob(let bytes): .blob(bytes)
            }
    }

    /// NULL, then numbers, text, blobs.
    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }

    func order(to other: RowKey.Part) -> Int {
        switch (self, other) {
        case (.integer(let mine), .integer(let others)): mine < others ? -1 : mine > others ? 1 : 0
        case (.real(let mine), .real(let others)): mine < others ? -1 : mine > others ? 1 : 0
        case (.integer(let mine), .real(let others)): Self.order(mine, others)
        case (.real(let mine), .integer(let others)): -Self.order(others, mine)
        case (.text(let mine), .text(let others)), (.blob(let mine), .blob(let others)):
            mine.lexicographicallyPrecedes(others) ? -1 : mine == others ? 0 : 1
        default: rank - other.rank
        }
    }

    /// Without rounding: not every large integer has a double.
    private static func order(_ integer: Int64, _ real: Double) -> Int {
        if real >= 0x1p63 { return -1 }
        if real < -0x1p63 || real.isNaN { return 1 }
        let whole = Int64(real)
        if integer != whole { return integer < whole ? -1 : 1 }
        let rest = real - Double(whole)
        return rest > 0 ? -1 : rest < 0 ? 1 : 0
    }
}
