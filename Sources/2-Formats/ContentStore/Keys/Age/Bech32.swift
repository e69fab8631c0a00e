import ValiseSecrets

/// Bech32 (BIP-173) of 32 bytes without the limit of 90 characters, as age writes its keys.
enum Bech32 {
    private static let letters = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    private static let checkSize = 6
    /// Of 32 bytes, in digits of five bits.
    private static let digitCount = 52
    private static let separator = UInt8(ascii: "1")

    /// The 32 bytes of a text in one case; nil for anything else.
    ///
    /// - Parameters:
    ///   - text: ASCII.
    ///   - prefix: what stands before the `1`, in lower case.
    static func decode(_ text: UnsafeRawBufferPointer, prefix: String) throws -> SecretSeed? {
        let prefix = Array(prefix.utf8)
        let start = prefix.count + 1
        guard text.count == start + digitCount + checkSize, unsafe isInOneCase(text),
            (0..<prefix.count).allSatisfy({ unsafe lowered(text[$0]) == prefix[$0] }),
            unsafe text[prefix.count] == separator
        else { return nil }
        var sum = checksum(of: prefix)
        var (bits, pending, count): (UInt32, UInt32, Int) = (0, 0, 0)
        var isValid = true
        let secret = try unsafe SecretSeed { memory in
            for place in 0..<(digitCount + checkSize) {
                let letter = unsafe lowered(text[start + place])
                guard let digit = letters.firstIndex(of: letter).map({ UInt32($0) }) else {
                    isValid = false
                    return
                }
                sum = step(sum, digit)
                guard place < digitCount else { continue }
                bits = (bits << 5 | digit) & 0xfff
                pending += 5
                guard pending >= 8 else { continue }
                pending -= 8
                unsafe memory[count] = UInt8(truncatingIfNeeded: bits >> pending)
                count += 1
            }
        }
        // Four bits are left behind the last byte.
        return isValid && sum == 1 && bits & 0xf == 0 ? secret : nil
    }

    /// The text of 32 bytes that are no secret, in lower case.
    static func encode(_ bytes: [UInt8], prefix: String) -> String {
        precondition(bytes.count == SecretSeed.byteCount)
        var digits: [UInt32] = []
        var (bits, pending): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            bits = (bits << 8 | UInt32(byte)) & 0xfff
            pending += 8
            while pending >= 5 {
                pending -= 5
                digits.append(bits >> pending & 31)
            }
        }
        if pending > 0 { digits.append(bits << (5 - pending) & 31) }
        let zeros = [UInt32](repeating: 0, count: checkSize)
        let sum = (digits + zeros).reduce(checksum(of: Array(prefix.utf8)), step) ^ 1
        digits += (0..<UInt32(checkSize)).map { sum >> (25 - 5 * $0) & 31 }
        return prefix + "1" + String(decoding: digits.map { letters[Int($0)] }, as: UTF8.self)
    }

    // MARK: Checksum

    private static func checksum(of prefix: [UInt8]) -> UInt32 {
        let high = prefix.map { UInt32($0 >> 5) }
        let low = prefix.map { UInt32($0 & 31) }
        return (high + [0] + low).reduce(1, step)
    }

    private static func step(_ sum: UInt32, _ digit: UInt32) -> UInt32 {
        let generators: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
        let top = sum >> 25
        var next = (sum & 0x1ff_ffff) << 5 ^ digit
        for (place, generator) in generators.enumerated() where top >> UInt32(place) & 1 == 1 {
            next ^= generator
        }
        return next
    }

    // MARK: Case

    private static func isInOneCase(_ text: UnsafeRawBufferPointer) -> Bool {
        var (hasUpper, hasLower) = (false, false)
        for place in 0..<text.count {
            let byte = unsafe text[place]
            hasUpper = hasUpper || isUpper(byte)
            hasLower = hasLower || isLower(byte)
        }
        return !(hasUpper && hasLower)
    }

    private static func isUpper(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
    private static func isLower(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
    private static func lowered(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }
}
