/// Small letters of many texts, as `String.lowercased()` gives them and without a `String` for each: the bytes go through a table.
struct TextFolding {
    /// As much memory as the longest text needed.
    private var memory: [UInt8] = []
    private var count = 0

    /// Of `Ⱥ`, two bytes, the small letter has three; no other one grows more.
    private static let mostGrowth = 2

    /// The small letter of each scalar that has one of its own; 0 for those whose small letters are several scalars. There are
    /// no capital letters behind the table.
    private static let table: [UInt32] = (0..<UInt32(tableSize)).map { value in
        guard let scalar = Unicode.Scalar(value) else { return value }
        let mapping = scalar.properties.lowercaseMapping.unicodeScalars
        return mapping.count == 1 ? mapping[mapping.startIndex].value : 0
    }
    private static let tableSize = 0x1_F000

    /// Whether there is anything but ASCII.
    static func hasOther(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.contains { $0 >= 0x80 }
    }

    /// Lends the bytes of the text in small letters.
    mutating func withFolded<Result>(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        unsafe fold(bytes)
        return unsafe memory.withUnsafeBytes {
            unsafe body(UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
    }

    /// The bytes of the text in small letters.
    mutating func folded(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        unsafe withFolded(bytes) { unsafe Array($0) }
    }

    private mutating func fold(_ bytes: UnsafeRawBufferPointer) {
        let most = bytes.count * Self.mostGrowth + 1
        if memory.count < most { memory = [UInt8](repeating: 0, count: most) }
        let table = Self.table
        let written = unsafe memory.withUnsafeMutableBytes { memory in
            unsafe table.withUnsafeBufferPointer { unsafe Self.fold(bytes, to: memory, $0) }
        }
        if let written { return count = written }
        // What is no UTF-8 is repaired there, and what becomes several scalars is rare.
        memory = unsafe Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
        count = memory.count
    }

    /// - Returns: how many bytes it has then; nil where it is not made of scalars with at most one small letter each.
    private static func fold(
        _ bytes: UnsafeRawBufferPointer, to memory: UnsafeMutableRawBufferPointer,
        _ table: UnsafeBufferPointer<UInt32>
    ) -> Int? {
        var place = 0
        var count = 0
        while place < bytes.count {
            let byte = unsafe bytes[place]
            if byte < 0x80 {
                unsafe memory[count] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
                place += 1
                count += 1
                continue
            }
            guard let (scalar, length) = unsafe Self.scalar(bytes, at: place) else { return nil }
            let small = unsafe scalar < table.count ? table[Int(scalar)] : scalar
            guard small != 0 else { return nil }
            unsafe put(small, to: memory, at: &count)
            place += length
        }
        return count
    }

    private static func put(_ scalar: UInt32, to memory: UnsafeMutableRawBufferPointer, at count: inout Int) {
        let length = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4
        let lead: UInt8 = length == 1 ? 0 : length == 2 ? 0xC0 : length == 3 ? 0xE0 : 0xF0
        unsafe memory[count] = lead | UInt8(truncatingIfNeeded: scalar >> UInt32(6 * (length - 1)))
        for next in 1..<max(1, length) {
            let bits = scalar >> UInt32(6 * (length - 1 - next))
            unsafe memory[count + next] = 0x80 | UInt8(truncatingIfNeeded: bits & 0x3F)
        }
        count += length
    }

    /// A scalar of several bytes; nil where it is none.
    private static func scalar(_ bytes: UnsafeRawBufferPointer, at place: Int) -> (UInt32, Int)? {
        let first = unsafe UInt32(bytes[place])
        let (length, least): (Int, UInt32) =
            switch first {
            case 0xC2..<0xE0: (2, 0x80)
            case 0xE0..<0xF0: (3, 0x800)
            case 0xF0..<0xF5: (4, 0x1_0000)
            default: (0, 0)
            }
        guard length > 0, place + length <= bytes.count else { return nil }
        var value = first & (0x7F >> UInt32(length))
        for next in 1..<length {
            let byte = unsafe UInt32(bytes[place + next])
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | byte & 0x3F
        }
        guard value >= least, Unicode.Scalar(value) != nil else { return nil }
        return (value, length)
    }
}
