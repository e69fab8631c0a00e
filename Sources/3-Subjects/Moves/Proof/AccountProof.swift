package import ValiseAccounts
package import ValiseConcurrency
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// What an account holds, in three digests: the same on both machines exactly where every row of both databases and every
/// byte of the media are the same (Documentation/formats/move.md).
///
/// It is of the content, so that it survives what changes only how that is stored: another passphrase, VACUUM.
package struct AccountProof: Equatable, Sendable, Codable {
    /// Of the chat database: 32 bytes.
    package let chat: [UInt8]
    /// Of the agent database: 32 bytes.
    package let agent: [UInt8]
    /// Of the files and wallpapers that an archive takes: 32 bytes.
    package let media: [UInt8]

    package init(chat: [UInt8], agent: [UInt8], media: [UInt8]) {
        self.chat = chat
        self.agent = agent
        self.media = media
    }

    /// What people compare.
    package var words: FingerprintWords { FingerprintWords(self) }

    /// Reads the whole account, on all cores. It is locked (shared) meanwhile, and not changed; journals that a crashed
    /// program left are folded in on private copies.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - passphrase: empty for unencrypted databases.
    ///   - mediaDigests: SHA-256 by the name in an archive (`simplex_v1_files/x`) of what an archive took: these files
    ///     are proved and not read again, and others, which do not travel, are left out. Nil for all, which are read.
    ///   - fileSystem: where files are read and written.
    ///   - progress: sees how far it is; throw to stop.
    /// - Throws: ``DeviceMigrationError``: `wrongPassphrase`; `damaged`, which names the table or the file;
    ///   `AccountError`; `FileError`; `DatabaseError`; whatever `progress` throws.
    package static func make(
        _ location: AccountLocation, passphrase: borrowing SecretBytes,
        mediaDigests: [String: [UInt8]]? = nil, fileSystem: FileSystem = FileSystem(),
        progress: ProgressHandler = { _ in }
    ) throws -> AccountProof {
        let reader = try AccountReader(location, use: .refused, fileSystem: fileSystem)
        defer { withExtendedLifetime(reader) {} }
        let run = try ProofRun(
            reader, location, passphrase: passphrase, known: mediaDigests, fileSystem: fileSystem,
            progress: progress)
        return try run.run(progress)
    }
}
