import ValiseSecrets

/// The places of 13 words in their list, on a stack that is wiped: they are the secret itself.
enum SeedWordPlaces {
    private static let words = UInt64(SeedWords.count)

    /// Lends memory for 13 places.
    static func with<Result>(
        _ body: (UnsafeMutableBufferPointer<UInt16>) throws -> Result
    ) rethrows -> Result {
        try unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: RecoveryPassword.wordCount) {
            memory in
            unsafe memory.initialize(repeating: 0)
            defer { unsafe SecretMemory.wipe(UnsafeMutableRawBufferPointer(memory)) }
            return try unsafe body(memory)
        }
    }

    /// The 12 places of 16 bytes: three for each four bytes, little endian.
    static func encode(_ entropy: UnsafeRawBufferPointer, into places: UnsafeMutableBufferPointer<UInt16>) {
        for group in 0..<4 {
            let bytes = unsafe entropy.loadUnaligned(fromByteOffset: group * 4, as: UInt32.self)
            let number = UInt64(UInt32(littleEndian: bytes))
            let first = number % words
            let second = (number / words + first) % words
            let third = (number / words / words + second) % words
            for (offset, place) in [first, second, third].enumerated() {
                unsafe places[group * 3 + offset] = UInt16(place)
            }
        }
    }

    /// The 16 bytes of 12 places.
    /// - Returns: the first of the three words that stand for no 32 bits; nil where all do.
    static func decode(
        _ places: UnsafeMutableBufferPointer<UInt16>, into entropy: UnsafeMutableRawBufferPointer
    ) -> Int? {
        for group in 0..<4 {
            let first = unsafe UInt64(places[group * 3])
            let second = unsafe UInt64(places[group * 3 + 1])
            let third = unsafe UInt64(places[group * 3 + 2])
            let number =
                first + words * ((second + words - first) % words) + words * words
                * ((third + words - second) % words)
            guard let bits = UInt32(exactly: number) else { return group * 3 }
            unsafe entropy.storeBytes(of: bits.littleEndian, toByteOffset: group * 4, as: UInt32.self)
        }
        return nil
    }

    /// Which of the first 12 words is repeated as the last one.
    /// - Parameter prefix: how many letters of each word count.
    static func checkPlace(
        of places: UnsafeMutableBufferPointer<UInt16>, in list: SeedWords, prefix: Int
    ) -> Int {
        var checksum = CRC32()
        for number in 0..<(RecoveryPassword.wordCount - 1) {
            let word = unsafe list.all[Int(places[number])]
            checksum.update(word.prefix(UTF8Letters.byteCount(of: word, letters: prefix)))
        }
        return Int(checksum.value % UInt32(RecoveryPassword.wordCount - 1))
    }
}
