package import ValiseAccountArchives

/// A received account, in place.
package struct ReceivedAccount: Sendable, Encodable {
    /// What became of the network configuration of the link.
    package enum NetworkSettings: String, Sendable, Codable, CaseIterable {
        /// The link carries none.
        case none
        case taken
        case declined
        /// The schema of the account has no place for it: an app saves its settings there later.
        case noTable
        /// The settings in the account are not what an app writes, and are left as they are.
        case unreadable
    }

    /// Of the move.
    package let id: String
    /// The words that the other machine shows too if everything arrived. They are computed before anything is migrated or
    /// set.
    package let words: FingerprintWords
    /// What was imported.
    package let imported: ReceivedImport
    package let schema: ReceivedSchema
    package let network: NetworkSettings
    /// Whether an archive file was given instead of links: nothing of it is on relays.
    package internal(set) var isFromArchive = false

    /// What has no key here is not in the document.
    private enum CodingKeys: CodingKey { case id, words, imported, schema, network }
}

/// The result of importing a received account.
package struct ReceivedImport: Sendable, Equatable, Codable {
    /// How many files, including the databases; nil if the run that imported them was killed.
    package let entries: Int?
    /// The size of these files, in bytes; nil in the same case.
    package let size: Int64?
    /// Entries that did not arrive, and why. In that case the words differ.
    package let archiveErrors: [ArchiveError]
    /// Whether an account was in place and was replaced.
    package let replacedAccount: Bool
    /// How many media were in place before that the archive does not have. The words differ then.
    package let foreignMedia: Int
}

/// What became of the schema of a received account.
package struct ReceivedSchema: Sendable, Equatable, Codable {
    package enum Outcome: String, Sendable, Codable, CaseIterable {
        /// Nothing had to be done.
        case current
        /// It was migrated; the databases from before are kept.
        case upgraded
        /// It is left as it is, to be migrated later.
        case declined
        /// It is of an official program, which migrates it when it starts.
        case official
        /// A newer program than any known here made it. It is left as it is.
        case newerThanKnown
        /// It has no migrations, or those of an unknown program. It is left as it is.
        case unknown
    }

    package let outcome: Outcome
    /// Those that ran, or would have to, by database.
    package let migrations: [String: [String]]
}
