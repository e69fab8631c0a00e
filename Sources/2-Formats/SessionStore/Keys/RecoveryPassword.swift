import ValiseCryptography
package import ValiseSecrets

/// The 16 bytes that an account of Session is made of, which 13 words stand for (fact sheet of Session, §5).
///
/// It restores the identity and what the network still has, never older history.
package struct RecoveryPassword: Sendable {
    /// 16 bytes.
    let entropy: SharedSecret

    package static let wordCount = 13
    /// Of the entropy, in bytes.
    package static let byteCount = 16

    /// - Parameter entropy: 16 bytes.
    /// - Throws: ``SessionStoreError`` with `invalid` for another length.
    package init(entropy: SharedSecret) throws(SessionStoreError) {
        guard entropy.bytes.count == Self.byteCount else {
            throw SessionStoreError(
                .invalid, "a recovery password encodes 16 bytes, not \(entropy.bytes.count)")
        }
        self.entropy = entropy
    }

    /// That of an account whose key is known.
    ///
    /// - Parameter seed: of Ed25519: the first half of what stores keep as its secret key.
    /// - Throws: ``RecoveryPasswordError`` with `noRecoveryPassword` where the seed does not end with 16 zeros; `SecretsError`
    ///   when no guarded memory is available.
    package init(accountSeed seed: SecretSeed) throws {
        let size = Self.byteCount
        // Without a branch that depends on where a byte differs.
        let rest = unsafe seed.withBytes { bytes in unsafe bytes[size...].reduce(0) { $0 | $1 } }
        guard rest == 0 else { throw RecoveryPasswordError(.noRecoveryPassword) }
        entropy = SharedSecret(
            try unsafe seed.withBytes {
                try unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<size]))
            })
    }

    /// The seed of the account's Ed25519 key: the entropy and 16 zeros.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package func accountSeed() throws -> SecretSeed {
        try unsafe SecretSeed { seed in unsafe entropy.bytes.withBytes { unsafe seed.copyMemory(from: $0) } }
    }

    /// The account.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package func account() throws -> AccountKeys { try AccountKeys(seed: accountSeed()) }

    /// Compares in constant time.
    package func equals(_ other: RecoveryPassword) -> Bool {
        entropy.bytes.equals(other.entropy.bytes)
    }

    // MARK: Words

    /// The 13 words in lower case, with one space between two. They are for a terminal only.
    /// - Parameters:
    ///   - language: of the words.
    ///   - lineLength: how many words are on a line; all of them unless said.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package func words(
        in language: RecoveryLanguage = .english, lineLength: Int = wordCount
    ) throws -> SharedSecret {
        let words = language.words.all
        let longest = words.reduce(0) { max($0, $1.count) }
        return SharedSecret(
            try unsafe SecretBytes(capacity: Self.wordCount * (longest + 1)) { memory in
                unsafe SeedWordPlaces.with { places in
                    unsafe entropy.bytes.withBytes { unsafe SeedWordPlaces.encode($0, into: places) }
                    let check = unsafe SeedWordPlaces.checkPlace(
                        of: places, in: language.words, prefix: language.prefixLength)
                    unsafe places[Self.wordCount - 1] = unsafe places[check]
                    return unsafe Self.write(places, of: words, lineLength, to: memory)
                }
            })
    }

    /// - Returns: how many bytes were written.
    private static func write(
        _ places: UnsafeMutableBufferPointer<UInt16>, of words: [[UInt8]], _ lineLength: Int,
        to memory: UnsafeMutableRawBufferPointer
    ) -> Int {
        var end = 0
        for number in 0..<places.count {
            if number > 0 {
                unsafe memory[end] = number % lineLength == 0 ? UInt8(ascii: "\n") : UInt8(ascii: " ")
                end += 1
            }
            for byte in unsafe words[Int(places[number])] {
                unsafe memory[end] = byte
                end += 1
            }
        }
        return end
    }
}
