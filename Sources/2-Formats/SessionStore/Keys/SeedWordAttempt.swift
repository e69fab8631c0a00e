import ValiseSecrets

/// What the words are in one language.
struct SeedWordAttempt {
    let language: RecoveryLanguage
    /// Places from 0 of words that are none.
    private var unknown: [Int] = []
    /// Places from 0 of words that only begin as one.
    private var inexact: [Int] = []
    private var impossible: Int?
    private var hasChecksum = false
    private var entropy: SharedSecret?

    init(_ phrase: borrowing PhraseText, _ language: RecoveryLanguage) throws {
        self.language = language
        let (list, prefixes) = (language.words, language.prefixes)
        try unsafe SeedWordPlaces.with { places in
            for number in 0..<RecoveryPassword.wordCount {
                unsafe phrase.withWord(number) { typed in
                    guard let place = unsafe prefixes.place(of: typed) else {
                        unknown.append(number)
                        return
                    }
                    unsafe places[number] = UInt16(place)
                    if unsafe !list.all[place].starts(with: typed) { inexact.append(number) }
                }
            }
            guard unknown.isEmpty else { return }
            hasChecksum = language.checksumPrefixes.contains {
                unsafe places[12] == places[SeedWordPlaces.checkPlace(of: places, in: list, prefix: $0)]
            }
            entropy = SharedSecret(
                try unsafe SecretBytes(capacity: RecoveryPassword.byteCount) { memory in
                    impossible = unsafe SeedWordPlaces.decode(places, into: memory)
                    return memory.count
                })
        }
    }

    /// The less the better: unknown words, then a wrong checksum, then inexact words.
    var rank: Int {
        unknown.count * 1000 + (hasChecksum && impossible == nil ? 0 : 100) + inexact.count
    }

    func reading(_ phrase: borrowing PhraseText) throws -> RecoveryPassword.Reading {
        guard unknown.isEmpty else {
            throw RecoveryPasswordError(.unknownWords(doubtful(unknown, phrase), language))
        }
        guard hasChecksum, let entropy else {
            throw RecoveryPasswordError(.checksum(doubtful: doubtful(inexact, phrase), language))
        }
        if let impossible { throw RecoveryPasswordError(.impossible(place: impossible + 1, language)) }
        return RecoveryPassword.Reading(
            password: try RecoveryPassword(entropy: entropy), language: language,
            inexact: inexact.map { $0 + 1 })
    }

    private func doubtful(
        _ numbers: [Int], _ phrase: borrowing PhraseText
    ) -> [RecoveryPasswordError.DoubtfulWord] {
        var words: [RecoveryPasswordError.DoubtfulWord] = []
        for number in numbers {
            let nearest = unsafe phrase.withWord(number) {
                unsafe SeedWordDistance.nearest(to: $0, in: language.words)
            }
            words.append(RecoveryPasswordError.DoubtfulWord(place: number + 1, nearest: nearest))
        }
        return words
    }
}
