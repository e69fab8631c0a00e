import Digests

/// Eight plain words that two people compare: the first 64 bits of a digest of an ``AccountProof``.
public struct ProofWords: Equatable, Sendable, CustomStringConvertible {
    /// As ``list`` has them.
    public let words: [String]

    /// How many there are.
    public static let count = 8

    /// Of a proof.
    init(_ proof: AccountProof) {
        let digest = SHA256.hash(Array("valise move proof 1".utf8) + proof.chat + proof.agent + proof.media)
        words = digest.prefix(Self.count).map { Self.list[Int($0)] }
    }

    /// Reads what somebody typed: in any case, with anything between the words; of each word, the first four letters
    /// count, and a misspelt rest is a mistake.
    ///
    /// - Throws: ``DeviceMigrationError`` with `invalidWords`, which names the word that is none, or says how many there
    ///   should be.
    public init(parsing text: String) throws(DeviceMigrationError) {
        throw DeviceMigrationError(.invalidWords, "not made yet")
    }

    /// With spaces between them, which is the form in which it is stored too.
    public var description: String { words.joined(separator: " ") }
}

extension ProofWords: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(parsing: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension ProofWords {
    /// The words: one for each byte.
    public static let list: [String] = []
}
