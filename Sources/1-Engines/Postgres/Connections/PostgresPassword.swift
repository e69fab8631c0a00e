package import SystemPackage
import ValiseCryptography
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// Where the password for a server comes from. It is asked for each time a connection is made, so that a file may change.
package enum PostgresPassword: Sendable {
    /// None of ours: libpq looks into `~/.pgpass` and where the environment says, or the server asks for none.
    case none
    /// The first line of a file.
    case file(FilePath, FileSystem)
    /// One that is in memory.
    case secret(SharedSecret)

    /// Lends the password with a zero behind it; nil for none.
    /// - Throws: ``PostgresError``: for a file that cannot be read, and `invalid` for what is no password.
    func withText<Result>(_ body: (UnsafePointer<CChar>?) -> Result) throws(PostgresError) -> Result {
        switch self {
        case .none: return body(nil)
        case .secret(let secret):
            try Self.check(secret.bytes)
            return unsafe secret.bytes.withTerminatedBytes { unsafe body($0) }
        case .file(let path, let fileSystem):
            let secret = try Self.read(path, fileSystem)
            try Self.check(secret, path)
            return unsafe secret.withTerminatedBytes { unsafe body($0) }
        }
    }

    private static func read(_ path: FilePath, _ fileSystem: FileSystem) throws(PostgresError) -> SecretBytes
    {
        do {
            return try SecretBytes(firstLineOf: path, fileSystem)
        } catch {
            let failure = error as? any Failure
            throw PostgresError(
                .credentials, failure?.code ?? .failed,
                "cannot read the password of the database: \(error.sentence)",
                path.string, cause: error, remedy: failure?.remedy)
        }
    }

    private static func check(
        _ secret: borrowing SecretBytes, _ path: FilePath? = nil
    ) throws(PostgresError) {
        let isUsable = unsafe secret.withBytes { unsafe !$0.isEmpty && !$0.contains(0) }
        guard isUsable else {
            throw PostgresError(
                .credentials, .invalid, "the password of the database is empty, or has a zero byte in it",
                path?.string)
        }
    }
}
