package import SystemPackage
package import ValiseEncoding

/// An account that was found, and what can be said of it without its passphrase.
public struct FoundAccount: Sendable, Equatable {
    /// What the first bytes of the databases say.
    public enum Encryption: String, Sendable, Codable {
        /// Both databases are encrypted.
        case encrypted
        /// Neither database is encrypted.
        case unencrypted
        /// The databases differ, are no databases, or could not be read.
        case unknown
    }

    /// The backup of a phone in which an account is: it has to be taken out of it before it can be used.
    package enum Backup: String, Sendable, Codable {
        case unencrypted
        /// With the passphrase of the backup.
        case encrypted
    }

    /// Where it is.
    public let location: AccountLocation
    package let program: AccountProgram
    /// The databases that are there.
    package let files: [AccountDatabase: FilePath]
    /// Of the databases, in bytes.
    public let size: Int64
    /// When a database was changed last; nil where none is there.
    package let changed: UTCTime?
    /// Whether it is encrypted, as far as its files say.
    public let encryption: Encryption
    /// The program that uses it at this moment; nil for none.
    public let inUse: String?
    /// Whether an interrupted operation left something.
    package let isInterrupted: Bool
    /// Whether it was moved to another machine.
    package let isRetired: Bool
    /// Whether it was imported as an archive.
    package let isReadOnly: Bool
    /// Nil for an account in a folder of its own.
    package let backup: Backup?
    /// The first thing that could not be looked at.
    package let problem: String?

    /// Whether it is in the backup of a phone: it has to be taken out of it before it can be used.
    public var isInBackup: Bool { backup != nil }

    /// The databases that are not there.
    package var missing: [AccountDatabase] { AccountDatabase.allCases.filter { files[$0] == nil } }
}

extension FoundAccount: Encodable {
    private enum Key: String, CodingKey {
        case directory, prefix, program, databases, missing, size, changed, encryption, inUse, interrupted,
            retired, readOnly, backup, problem
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(location.directory.string, forKey: .directory)
        try container.encode(location.prefix, forKey: .prefix)
        try container.encode(program, forKey: .program)
        let paths = files.map { ($0.key.rawValue, $0.value.string) }
        try container.encode(Dictionary(uniqueKeysWithValues: paths), forKey: .databases)
        try container.encode(missing, forKey: .missing)
        try container.encode(size, forKey: .size)
        try container.encodeIfPresent(changed?.isoText, forKey: .changed)
        try container.encode(encryption, forKey: .encryption)
        try container.encodeIfPresent(inUse, forKey: .inUse)
        try container.encode(isInterrupted, forKey: .interrupted)
        try container.encode(isRetired, forKey: .retired)
        try container.encode(isReadOnly, forKey: .readOnly)
        try container.encodeIfPresent(backup, forKey: .backup)
        try container.encodeIfPresent(problem, forKey: .problem)
    }
}
