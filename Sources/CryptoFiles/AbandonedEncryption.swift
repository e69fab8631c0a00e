import Failures
import Files
import Secrets
import SystemPackage

/// What a run leaves that was killed in the moment between the names of the key and of the encrypted file: a key,
/// and an encrypted file that has only its temporary name.
struct AbandonedEncryption {
    private static let longestKeyFile = Int64(CryptoFileText.longest)

    /// Removes both, when the key is proved to be that of the file without a name: nobody ever saw what it
    /// encrypts. Anything else is left.
    /// - Throws: ``FileError``; `SecretsError`.
    static func remove(_ path: FilePath, key: FilePath, fileSystem: FileSystem) throws {
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
        guard try !fileSystem.exists(path) else { return }
        try fileSystem.remove(key)
        try fileSystem.synchronizeDirectory(key.parentFolder)
    }

    /// - Returns: nil where the file is no key.
    private static func args(_ path: FilePath, _ fileSystem: FileSystem) throws -> CryptoFileArgs? {
        guard let found = try fileSystem.attributes(of: path), found.kind == .regular,
            found.size <= longestKeyFile
        else { return nil }
        let file = try fileSystem.openForReading(path)
        let text = try SecretBytes(capacity: Int(found.size)) { try file.read(into: $0, at: 0) }
        do {
            return try CryptoFileArgs(text: text)
        } catch is CryptoFileError {
            return nil
        }
    }
}
