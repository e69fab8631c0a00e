/// The languages that Session's recovery passwords are written in.
package enum RecoveryLanguage: String, Sendable, Hashable, CaseIterable {
    case english, japanese, portuguese, spanish

    /// So many first letters of a word tell it from all others.
    package var prefixLength: Int { self == .english ? 3 : 4 }

    /// The numbers of first letters over which the checksum is computed: that of new ones, then others that are taken.
    ///
    /// Three letters are enough for the Japanese words as well, and programs of Monero differ there. So both are read.
    var checksumPrefixes: [Int] {
        self == .japanese ? [4, 3] : [prefixLength]
    }

    /// The list.
    var words: SeedWords {
        switch self {
        case .english: .english
        case .japanese: .japanese
        case .portuguese: .portuguese
        case .spanish: .spanish
        }
    }

    var prefixes: SeedWordPrefixes {
        switch self {
        case .english: Self.englishPrefixes
        case .japanese: Self.japanesePrefixes
        case .portuguese: Self.portuguesePrefixes
        case .spanish: Self.spanishPrefixes
        }
    }

    private static let englishPrefixes = make(.english)
    private static let japanesePrefixes = make(.japanese)
    private static let portuguesePrefixes = make(.portuguese)
    private static let spanishPrefixes = make(.spanish)

    private static func make(_ language: RecoveryLanguage) -> SeedWordPrefixes {
        SeedWordPrefixes(language.words, length: language.prefixLength)
    }
}
