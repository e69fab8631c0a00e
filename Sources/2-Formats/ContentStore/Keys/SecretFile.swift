import SystemPackage
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// A file with a secret, which nobody but its owner may read.
enum SecretFile {
    /// Reads all of it into guarded memory.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - what: what failures call the secret.
    ///   - mostBytes: a larger file is refused.
    ///   - fileSystem: what it is read by.
    /// - Throws: `FileError`: `denied` where others can read or change it, or it is somebody else's; `unsupported` for a larger
    ///   one; `SecretsError`.
    static func read(_ path: FilePath, what: String, mostBytes: Int, fileSystem: FileSystem) throws
        -> SecretBytes
    {
        let file = try fileSystem.openForReading(path)
        let attributes = try file.attributes()
        guard attributes.owner == ProcessIdentity.user else {
            throw FileError(
                .denied, "the \(what) file belongs to another user, who can read and change it", path,
                remedy: .copyPrivately)
        }
        guard attributes.permissions.isDisjoint(with: others) else {
            throw FileError(
                .denied, "other users can read or change this \(what) file", path,
                remedy: .makePrivate(path, isFolder: false, secret: what))
        }
        guard attributes.size <= Int64(mostBytes) else {
            throw FileError(.unsupported, "too large for a \(what) file", path)
        }
        return try unsafe SecretBytes(capacity: Int(attributes.size)) { memory in
            var filled = 0
            while filled < memory.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
                let count = try unsafe file.read(into: rest, at: Int64(filled))
                if count == 0 { break }
                filled += count
            }
            return filled
        }
    }

    private static let others: FilePermissions = [.groupReadWriteExecute, .otherReadWriteExecute]
}
