import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseFiles
import ValisePages
import ValiseSecrets

/// Ways to a key where the first 16 bytes of a file, from which it is derived, are damaged.
struct LostSalt {
    let source: FileSource
    let file: DatabaseFile
    let fileSystem: FileSystem

    /// The official programs leave copies beside a database; one of the same file has the same salt.
    func fromCopies(_ passphrase: borrowing SecretBytes) throws -> EncryptedDatabaseFile? {
        for name in file.copies {
            let path = file.path.removingLastComponent().appending(name)
            guard let copy = try? FileSource(path, fileSystem: fileSystem),
                let salt = try? EncryptedDatabaseFile.salt(of: copy)
            else { continue }
            if let found = try open(salt, passphrase) { return found }
        }
        return nil
    }

    /// Tries each of the 128 salts that one changed bit could have been.
    func withOneBitChanged(
        _ passphrase: borrowing SecretBytes, _ progress: ProgressHandler
    ) throws -> EncryptedDatabaseFile? {
        guard let salt = try? EncryptedDatabaseFile.salt(of: source) else { return nil }
        let bits = salt.count * 8
        for bit in 0..<bits {
            try progress(
                OperationProgress(
                    "trying salts with one bit changed", completed: Int64(bit), total: Int64(bits),
                    unit: .items))
            var changed = salt
            changed[bit / 8] ^= 1 << (bit % 8)
            if let found = try open(changed, passphrase) { return found }
        }
        return nil
    }

    /// A raw key decrypts without the salt, but the key of the HMACs is derived from it: so what the pages
    /// decrypt to has to speak for them.
    func rawKey(_ passphrase: borrowing SecretBytes) throws -> EncryptedDatabaseFile? {
        guard passphrase.looksLikeRawKey(), source.size >= Int64(CipherSettings.format4.pageSize) else {
            return nil
        }
        let salt = [UInt8](repeating: 0, count: CipherSettings.saltSize)
        let key = try CipherKey(passphrase: passphrase, salt: salt, settings: .format4)
        let file = try EncryptedDatabaseFile(source, settings: .format4, key: key)
        let pages = try SalvagePages(file, nil, usesDamaged: false)
        return try PlaintextPages.looksLikeDatabase(pages) ? file : nil
    }

    private func open(
        _ salt: [UInt8], _ passphrase: borrowing SecretBytes
    ) throws -> EncryptedDatabaseFile? {
        let key = try CipherKey(passphrase: passphrase, salt: salt, settings: .format4)
        let file = try EncryptedDatabaseFile(source, settings: .format4, key: key)
        let reader = try file.reader()
        let last = min(file.pageCount, 64)
        guard last > 0 else { return nil }
        for number in 1...last where try unsafe reader.withPage(number, { status, _ in status == .intact }) {
            return file
        }
        return nil
    }
}
