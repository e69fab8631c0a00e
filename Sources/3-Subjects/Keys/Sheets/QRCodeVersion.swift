/// The size of a QR code, and how its codewords are divided (ISO/IEC 18004, §6 and tables 1, 7 and 9), for bytes only.
struct QRCodeVersion {
    /// How much of a code may be hidden.
    enum Level {
        case low, medium

        /// The two bits of the format information.
        var bits: Int { self == .low ? 1 : 0 }
    }

    /// 1 to 40.
    let number: Int
    let level: Level

    /// Of a side, in modules.
    var width: Int { 4 * number + 17 }
    /// Of data and correction together.
    var codewords: Int { Self.codewords(number) }
    /// Correction codewords of each block.
    var correctionOfBlock: Int { Int(Self.correction[level]![number - 1]) }
    var blocks: Int { Int(Self.blocks[level]![number - 1]) }
    var dataCodewords: Int { codewords - blocks * correctionOfBlock }
    /// Of the number that says how many bytes there are, in bits.
    var countBits: Int { number < 10 ? 8 : 16 }
    /// The most bytes that fit, after four bits for their kind and their number.
    var capacity: Int { (8 * dataCodewords - 4 - countBits) / 8 }

    /// The smallest that holds so many bytes; nil where none does.
    init?(bytes: Int, _ level: Level) {
        for number in 1...40 {
            let version = Self(number: number, level: level)
            if bytes <= version.capacity {
                self = version
                return
            }
        }
        return nil
    }

    private init(number: Int, level: Level) {
        self.number = number
        self.level = level
    }

    /// Rows, and columns, of the centers of alignment patterns.
    var alignment: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let step = number == 32 ? 26 : (4 * number + 2 * count + 1) / (2 * count - 2) * 2
        return [6] + (0..<count - 1).map { width - 7 - step * $0 }.reversed()
    }

    private static func codewords(_ number: Int) -> Int {
        var modules = (16 * number + 128) * number + 64
        if number > 1 {
            let count = number / 7 + 2
            modules -= (25 * count - 10) * count - 55
        }
        if number > 6 { modules -= 36 }
        return modules / 8
    }

    private static let correction: [Level: [UInt8]] = [
        .low: [
            7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26,
            28, 30,
            30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
        .medium: [
            10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28,
            28, 28, 28,
            28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        ],
    ]
    private static let blocks: [Level: [UInt8]] = [
        .low: [
            1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15,
            16, 17,
            18, 19, 19, 20, 21, 22, 24, 25,
        ],
        .medium: [
            1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26,
            28, 29,
            31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
        ],
    ]
}
