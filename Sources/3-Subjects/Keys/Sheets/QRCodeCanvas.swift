/// The modules of a QR code while they are drawn, one byte for each, in memory that somebody else wipes (ISO/IEC 18004,
/// §6.3, 7.7 to 7.10).
@safe struct QRCodeCanvas {
    private static let dark: UInt8 = 1
    /// Set where no data are.
    private static let fixed: UInt8 = 2

    private let version: QRCodeVersion
    private let width: Int
    private let modules: UnsafeMutableRawBufferPointer

    /// - Parameter modules: zeros, the square of the version's width of them.
    init(_ version: QRCodeVersion, _ modules: UnsafeMutableRawBufferPointer) {
        self.version = version
        unsafe self.modules = modules
        width = version.width
    }

    /// Draws all of it; the lowest bit of a module says whether it is dark.
    func draw(_ codewords: UnsafeRawBufferPointer) {
        drawPatterns()
        drawFormat(mask: 0)  // whose places no data take
        drawVersion()
        unsafe draw(data: codewords)
        var best = (mask: 0, penalty: Int.max)
        for mask in 0..<8 {
            apply(mask)
            drawFormat(mask: mask)
            let penalty = penalty()
            if penalty < best.penalty { best = (mask, penalty) }
            apply(mask)  // takes it away
        }
        apply(best.mask)
        drawFormat(mask: best.mask)
    }

    private func set(_ column: Int, _ row: Int, _ isDark: Bool) {
        unsafe modules[row * width + column] = Self.fixed | (isDark ? Self.dark : 0)
    }

    private func isDark(_ column: Int, _ row: Int) -> Bool {
        unsafe modules[row * width + column] & Self.dark != 0
    }

    // MARK: What is the same in all codes

    private func drawPatterns() {
        for index in 0..<width {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
        for (column, row) in [(3, 3), (width - 4, 3), (3, width - 4)] { drawFinder(column, row) }
        let places = version.alignment
        for column in places {
            for row in places {
                let (first, last) = (6, width - 7)
                // Where the finders are there are none.
                if (column, row) == (first, first) || (column, row) == (first, last)
                    || (column, row) == (last, first)
                {
                    continue
                }
                for y in -2...2 {
                    for x in -2...2 { set(column + x, row + y, max(abs(x), abs(y)) != 1) }
                }
            }
        }
    }

    private func drawFinder(_ column: Int, _ row: Int) {
        for y in -4...4 {
            for x in -4...4 {
                guard (0..<width).contains(column + x), (0..<width).contains(row + y) else { continue }
                let distance = max(abs(x), abs(y))
                set(column + x, row + y, distance != 2 && distance != 4)
            }
        }
    }

    private func drawFormat(mask: Int) {
        let format = version.level.bits << 3 | mask
        let bits = (format << 10 | Self.remainder(format, steps: 10, divisor: 0x537)) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0..<6 { set(8, index, bit(index)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for index in 9..<15 { set(14 - index, 8, bit(index)) }
        for index in 0..<8 { set(width - 1 - index, 8, bit(index)) }
        for index in 8..<15 { set(8, width - 15 + index, bit(index)) }
        set(8, width - 8, true)
    }

    private func drawVersion() {
        guard version.number >= 7 else { return }
        let bits = version.number << 12 | Self.remainder(version.number, steps: 12, divisor: 0x1f25)
        for index in 0..<18 {
            let (far, near) = (width - 11 + index % 3, index / 3)
            set(far, near, bits >> index & 1 == 1)
            set(near, far, bits >> index & 1 == 1)
        }
    }

    private static func remainder(_ value: Int, steps: Int, divisor: Int) -> Int {
        (0..<steps).reduce(value) { rest, _ in rest << 1 ^ (rest >> (steps - 1)) * divisor }
    }

    // MARK: Data

    /// In columns of two modules from the right, upwards and downwards by turns.
    private func draw(data: UnsafeRawBufferPointer) {
        var bit = 0
        var isUpward = true
        for pair in stride(from: width - 1, through: 1, by: -2) {
            // The column of the timing pattern is passed over.
            let right = pair <= 6 ? pair - 1 : pair
            for step in 0..<width {
                let row = isUpward ? width - 1 - step : step
                for column in [right, right - 1] where unsafe modules[row * width + column] & Self.fixed == 0
                {
                    guard bit < 8 * data.count else { break }
                    unsafe modules[row * width + column] = data[bit / 8] >> UInt8(7 - bit % 8) & 1
                    bit += 1
                }
            }
            isUpward.toggle()
        }
    }

    private func apply(_ mask: Int) {
        for y in 0..<width {
            for x in 0..<width where unsafe modules[y * width + x] & Self.fixed == 0 {
                let value =
                    switch mask {
                    case 0: (x + y) % 2
                    case 1: y % 2
                    case 2: x % 3
                    case 3: (x + y) % 3
                    case 4: (x / 3 + y / 2) % 2
                    case 5: x * y % 2 + x * y % 3
                    case 6: (x * y % 2 + x * y % 3) % 2
                    default: ((x + y) % 2 + x * y % 3) % 2
                    }
                if value == 0 { unsafe modules[y * width + x] ^= Self.dark }
            }
        }
    }

    // MARK: Which mask

    /// How hard it is to read: long runs, squares of one kind, what looks like a finder, more of one kind than of the
    /// other.
    private func penalty() -> Int {
        var penalty = 0
        var darkModules = 0
        for line in 0..<width {
            penalty += self.penalty { isDark($0, line) }
            penalty += self.penalty { isDark(line, $0) }
            for other in 0..<width where isDark(other, line) { darkModules += 1 }
        }
        for y in 0..<width - 1 {
            for x in 0..<width - 1 {
                let first = isDark(x, y)
                if isDark(x + 1, y) == first, isDark(x, y + 1) == first, isDark(x + 1, y + 1) == first {
                    penalty += 3
                }
            }
        }
        let all = width * width
        return penalty + abs(20 * darkModules - 10 * all) / all * 10
    }

    /// Of one row or column.
    private func penalty(_ isDark: (Int) -> Bool) -> Int {
        var (penalty, run, last, window) = (0, 0, false, 0)
        for index in 0..<width {
            let now = isDark(index)
            run = index > 0 && now == last ? run + 1 : 1
            last = now
            if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
            window = (window << 1 | (now ? 1 : 0)) & 0x7ff
            if index >= 10, window == 0b101_1101_0000 || window == 0b000_0101_1101 { penalty += 40 }
        }
        return penalty
    }
}
