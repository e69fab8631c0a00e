import ValiseCryptography
package import ValiseSecrets

/// 24 English words that stand for 32 random bytes (BIP-39), in lower case with one space between two.
///
/// tcfs derives the key from the text and not from what it stands for, so that another space or a capital letter made another
/// key. Such phrases are refused.
package struct RecoveryPhrase: Sendable {
    /// The words.
    package let text: SharedSecret

    /// Of new ones, in bytes.
    static let entropySize = 32
    private static let space = UInt8(ascii: " ")

    /// A new random one.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package static func random() throws -> RecoveryPhrase { try RecoveryPhrase(entropy: try SecretSeed()) }

    /// The phrase that stands for 32 bytes.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package init(entropy: SecretSeed) throws {
        let bits = try Self.withCheck(entropy)
        let count = bits.count * 8 / EnglishWords.bits
        text = SharedSecret(
            try unsafe SecretBytes(capacity: count * (EnglishWords.longest + 1)) { memory in
                var end = 0
                for word in 0..<count {
                    if word > 0 {
                        unsafe memory[end] = Self.space
                        end += 1
                    }
                    let place = unsafe bits.withBytes { unsafe Self.place(of: word, in: $0) }
                    for letter in EnglishWords.all[place] {
                        unsafe memory[end] = letter
                        end += 1
                    }
                }
                return end
            })
    }

    /// The entropy and the first byte of its SHA-256.
    private static func withCheck(_ entropy: SecretSeed) throws -> SecretBytes {
        try unsafe SecretBytes(capacity: entropySize + 1) { memory in
            unsafe entropy.withBytes { unsafe memory.copyMemory(from: $0) }
            unsafe memory[entropySize] = unsafe Self.check(
                UnsafeRawBufferPointer(rebasing: memory[..<entropySize]))
            return memory.count
        }
    }

    private static func check(_ entropy: UnsafeRawBufferPointer) -> UInt8 {
        var hash = SHA256()
        unsafe hash.update(entropy)
        return hash.finalize().first ?? 0
    }

    private static func place(of word: Int, in bits: UnsafeRawBufferPointer) -> Int {
        var place = 0
        for bit in (word * EnglishWords.bits)..<((word + 1) * EnglishWords.bits) {
            place = unsafe place << 1 | Int(bits[bit / 8] >> UInt8(7 - bit % 8) & 1)
        }
        return place
    }

    // MARK: Reading

    /// Checks a phrase of 12, 15, 18, 21 or 24 words.
    /// - Throws: ``ContentStoreError`` with `invalid` where a word is none of the list, something else than one space is between
    ///   two words, or their checksum is wrong; `SecretsError`.
    package init(_ text: borrowing SecretBytes) throws {
        try unsafe text.withBytes { try unsafe Self.validate($0) }
        self.text = SharedSecret(try text.duplicate())
    }

    private static func validate(_ text: UnsafeRawBufferPointer) throws {
        let words = unsafe places(ofWordsIn: text)
        guard words.count <= 24, words.count >= 12, words.count % 3 == 0 else {
            throw ContentStoreError(.invalid, "a recovery phrase has 12, 15, 18, 21 or 24 words")
        }
        let bitCount = words.count * EnglishWords.bits
        let bits = try unsafe SecretBytes(capacity: (bitCount + 7) / 8) { memory in
            for (number, word) in words.enumerated() {
                let letters = unsafe UnsafeRawBufferPointer(rebasing: text[word])
                guard let place = unsafe EnglishWords.place(of: letters) else {
                    throw ContentStoreError(
                        .invalid,
                        "word \(number + 1) of the recovery phrase is not a lower-case word of the list")
                }
                for bit in 0..<EnglishWords.bits where place >> (EnglishWords.bits - 1 - bit) & 1 == 1 {
                    let target = number * EnglishWords.bits + bit
                    unsafe memory[target / 8] |= 0x80 >> UInt8(target % 8)
                }
            }
            return memory.count
        }
        let isRight = unsafe bits.withBytes { bits in
            // One bit of the check for each three words, behind the entropy.
            let (entropy, checkBits) = (words.count / 3 * 4, words.count / 3)
            let expected = unsafe check(UnsafeRawBufferPointer(rebasing: bits[..<entropy]))
            return unsafe (expected ^ bits[entropy]) >> UInt8(8 - checkBits) == 0
        }
        guard isRight else {
            throw ContentStoreError(.invalid, "the checksum of the recovery phrase is wrong")
        }
    }

    /// What is between single spaces.
    private static func places(ofWordsIn text: UnsafeRawBufferPointer) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start = 0
        for place in 0..<text.count where unsafe text[place] == space {
            words.append(start..<place)
            start = place + 1
        }
        return words + [start..<text.count]
    }

    /// How many words there are, as tcfs counts them: between blanks of ASCII.
    static func countWords(_ text: UnsafeRawBufferPointer) -> Int {
        var (count, isInWord) = (0, false)
        for place in 0..<text.count {
            let byte = unsafe text[place]
            let isBlank = byte == space || (0x09...0x0d).contains(byte)
            if !isBlank, !isInWord { count += 1 }
            isInWord = !isBlank
        }
        return count
    }
}
