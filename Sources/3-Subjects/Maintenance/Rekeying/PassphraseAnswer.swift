/// Whether a passphrase opens a database, and if not, why.
public enum PassphraseAnswer: String, Sendable, Codable, CaseIterable {
    /// The passphrase opens the database, and the official programs will as well.
    case right
    /// The passphrase does not open the database.
    case wrong
    /// The passphrase is right; the first page is damaged, so that no program opens the database.
    case firstPageDamaged
    /// The passphrase is right; the database is encrypted with other settings than the official ones.
    case otherParameters
    /// The file was not created by SQLCipher.
    case notSQLCipher
    /// The database is not encrypted.
    case unencrypted = "plain"
    /// There is no database.
    case missing
}
