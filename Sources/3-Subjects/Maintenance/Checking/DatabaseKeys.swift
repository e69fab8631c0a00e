import Synchronization
import SystemPackage
package import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
package import ValiseFiles
package import ValisePages
package import ValiseSecrets

/// The keys of both databases, found out from the first mebibyte of each: what follows need not be there yet, and nothing
/// large has to be unpacked to get to it.
package struct DatabaseKeys: Sendable {
    /// What the first pages of a database say.
    struct Found: Sendable {
        let verdict: CipherVerdict
        let file: EncryptedDatabaseFile?
    }

    private let found: [AccountDatabase: Found]

    private static let headSize: Int64 = 1 << 20

    /// Derives both keys, side by side.
    ///
    /// - Parameters:
    ///   - sources: the chat database and the agent database.
    ///   - passphrase: of all of them.
    /// - Throws: errors of the sources; `PageCipher.PageCipherError`; `SecretsError`.
    package init(_ sources: [any ByteSource], passphrase: borrowing SecretBytes) throws {
        let secret = SharedSecret(try passphrase.duplicate())
        let results = Mutex<[AccountDatabase: Found]>([:])
        try ParallelBatches.run(count: sources.count) {
        } work: { _, index in
            let head = try Head(of: sources[index], count: Int(min(sources[index].size, Self.headSize)))
            let result = try CipherIdentification.identify(head, passphrase: secret.bytes)
            results.withLock {
                $0[AccountDatabase.allCases[index]] = Found(verdict: result.verdict, file: result.file)
            }
        }
        found = results.withLock { $0 }
    }

    /// Whether the passphrase opens neither of two encrypted databases.
    package var isPassphraseWrong: Bool { found.values.allSatisfy { $0.verdict == .wrong } }

    /// Whether the passphrase opens both, or they need none.
    package var opensBoth: Bool { found.values.allSatisfy { $0.verdict == .unencrypted || $0.file != nil } }

    /// Whether one is no database at all.
    package var isOneNoDatabase: Bool { found.values.contains { $0.verdict == .notSQLCipher } }

    /// Checks the pages of a database while its bytes come by.
    /// - Returns: nil where the passphrase does not open it, or it needs none.
    /// - Throws: `PageCipher.PageCipherError`.
    package func pages(of database: AccountDatabase) throws -> StreamedVerification? {
        try found[database]?.file.map { try StreamedVerification($0) }
    }

    /// A file with the same bytes as far as they were looked at.
    /// - Returns: nil where the passphrase does not open it, or it needs none.
    /// - Throws: `PageCipher.PageCipherError` for a file that is too large.
    package func file(
        of database: AccountDatabase, at source: any ByteSource
    ) throws(PageCipherError) -> EncryptedDatabaseFile? {
        guard let known = found[database]?.file else { return nil }
        return try EncryptedDatabaseFile(source, settings: known.settings, key: known.key)
    }

    /// What is known of a database whose key was found.
    func known(_ database: AccountDatabase, at source: any ByteSource) throws(PageCipherError) -> Found? {
        guard let verdict = found[database]?.verdict, let file = try file(of: database, at: source) else {
            return nil
        }
        return Found(verdict: verdict, file: file)
    }
}

/// The first bytes of a database, read once: a passphrase is tried on them under many settings.
private final class Head: ByteSource {
    private let bytes: [UInt8]
    let path: FilePath
    var size: Int64 { Int64(bytes.count) }

    init(of source: any ByteSource, count: Int) throws {
        path = source.path
        bytes = try source.bytes(at: 0, upTo: count)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let part = bytes[Int(offset)...].prefix(buffer.count)
        unsafe buffer.copyBytes(from: part)
        return part.count
    }
}
