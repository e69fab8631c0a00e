import SystemPackage
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// What a run leaves that was killed in the moment between the names of the key and of the encrypted file: a key,
/// and an encrypted file that has only its temporary name.
struct AbandonedEncryption {
    private static let longestKeyFile = Int64(CryptoFileText.longest)

    /// Refuses to go on when the key is proved to be that of the file without a name. Neither is removed: somebody
    /// may have given a finished file this name.
    /// - Throws: ``FileError``: `alreadyExists`; `SecretsError`.
    static func refuse(_ path: FilePath, key: FilePath, fileSystem: FileSystem) throws {
        let partial = path.appendingSuffix(PendingFile.suffix)
        guard try fileSystem.exists(key), try !fileSystem.exists(path),
            try fileSystem.attributes(of: partial)?.kind == .regular, let args = try args(key, fileSystem)
        else { return }
        let lock = try fileSystem.openForUpdating(partial)
        // A run that goes on at this moment holds it.
        guard try lock.lockRange(.exclusive, start: 0, length: 1) else { return }
        do {
            try CryptoFileCipher().verify(FileSource(partial, fileSystem: fileSystem), args)
        } catch is CryptoFileError {
            return
        }
        throw FileError(
            .alreadyExists,
            "complete encrypted file of an interrupted run, with its key. Nothing was changed.",
            partial, remedy: .keepOrRemovePartial(partial))
    }

    /// - Returns: nil where the file is no key.
    private static func args(_ path: FilePath, _ fileSystem: FileSystem) throws -> CryptoFileArgs? {
        guard let found = try fileSystem.attributes(of: path), found.kind == .regular,
            found.size <= longestKeyFile
        else { return nil }
        let file = try fileSystem.openForReading(path)
        let text = try unsafe SecretBytes(capacity: Int(found.size)) { try unsafe file.read(into: $0, at: 0) }
        do {
            return try CryptoFileArgs(text: text)
        } catch is CryptoFileError {
            return nil
        }
    }
}
