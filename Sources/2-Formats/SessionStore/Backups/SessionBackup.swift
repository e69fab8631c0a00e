import SystemPackage
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// A `session.bak` of Session iOS, version 1: its developer settings export all of an account into one, and import it.
///
/// Everything is read in order and in bounded memory. What the format leaves to trust is checked here: the version, counts,
/// sizes, lengths before anything is allocated, paths, duplicates, and that nothing follows the last file.
package struct SessionBackup: Sendable {
    /// The file.
    package let source: any ByteSource
    let key: SecretSeed
    /// How many files of the app it has.
    package let fileCount: Int
    /// How many files the export added, below `_extra/`.
    package let extraCount: Int
    private let start: Int64

    /// Reads the beginning, which verifies the password.
    ///
    /// - Parameters:
    ///   - source: the backup.
    ///   - password: with which it was exported.
    /// - Throws: ``SessionStoreError``: `noKey` for an empty password, `wrongKey`, `damaged`, `newer`, `unsupported`; errors of
    ///   the source; `SecretsError`.
    package init(_ source: any ByteSource, password: borrowing SecretBytes) throws {
        let key = try Self.key(of: password)
        var frames = try SessionBackupFrames(source, key: key)
        let version = try unsafe frames.next(
            SessionBackupFormat.versionWidth, 4...4, of: "its beginning", failure: .wrongKey
        ) { unsafe UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
        try Self.check(version, source)
        let counts = try unsafe frames.next(SessionBackupFormat.countsWidth, 8...8, of: "its counts") {
            unsafe (
                files: UInt64(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))),
                extra: UInt64(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
            )
        }
        guard counts.files + counts.extra <= SessionBackupFormat.mostFiles else {
            throw SessionStoreError(
                .unsupported,
                "the backup claims \(Count.text(counts.files + counts.extra, "file")), more than are read",
                source.path.string)
        }
        self.source = source
        self.key = key
        fileCount = Int(counts.files)
        extraCount = Int(counts.extra)
        start = frames.position
    }

    /// Whether a file begins as such a backup: with the lengths of its first two frames.
    /// - Throws: errors of the source.
    package static func begins(_ source: any ByteSource) throws -> Bool {
        let version = SessionBackupFormat.overhead + 4
        let counts = SessionBackupFormat.overhead + 8
        let second = [UInt8(counts)] + [UInt8](repeating: 0, count: SessionBackupFormat.countsWidth - 1)
        return try source.bytes(at: 0, upTo: 1) == [UInt8(version)]
            && source.bytes(at: Int64(1 + version), upTo: second.count) == second
    }

    /// HKDF with SHA-256 of the password, with a salt of 16 zeros: nothing that makes a password harder to try.
    private static func key(of password: borrowing SecretBytes) throws -> SecretSeed {
        guard !password.isEmpty else {
            throw SessionStoreError(
                .noKey, "the backup is encrypted with a password", remedy: .givePassphrase)
        }
        return try unsafe SecretSeed { key in
            try unsafe password.withBytes { password in
                try unsafe HKDFSHA256.derive(
                    password, salt: [UInt8](repeating: 0, count: 16), info: "", into: key)
            }
        }
    }

    private static func check(_ version: UInt32, _ source: any ByteSource) throws {
        guard version != SessionBackupFormat.version else { return }
        throw SessionStoreError(
            version > SessionBackupFormat.version ? .newer : .unsupported,
            "the backup has version \(version) of its format, and only version 1 is read", source.path.string)
    }

    /// Reads all files in their order.
    ///
    /// - Parameters:
    ///   - receiver: gets each file.
    ///   - progress: gets the bytes of the backup that were read; throw to stop.
    /// - Throws: ``SessionStoreError`` with `damaged`: what was received before is complete. Errors of the source; whatever the
    ///   receiver and `progress` throw.
    func read(
        into receiver: inout some SessionBackupReceiver, progress: (Int64) throws -> Void = { _ in }
    ) throws {
        var reading = try SessionBackupReading(source, key: key, at: start)
        for number in 0..<fileCount + extraCount {
            try reading.readFile(number + 1, into: &receiver, progress: progress)
        }
        try reading.finish(files: fileCount, extra: extraCount)
    }
}
