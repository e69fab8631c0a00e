package import SystemPackage
package import ValiseFiles
import ValiseSecrets

/// The file in which key and nonce of an encrypted file are kept while no database has them: mode 0600, never
/// replaced, there only when it is whole and durable.
package final class CryptoKeyFile {
    private let pending: PendingFile
    private let fileSystem: FileSystem

    package init(_ path: FilePath, fileSystem: FileSystem) throws(FileError) {
        self.fileSystem = fileSystem
        pending = try PendingFile(path, fileSystem: fileSystem)
    }

    package func publish(_ file: CryptoFile) throws {
        let json = try file.json()
        let target = try pending.open()
        try unsafe json.withBytes { try unsafe target.write($0, at: 0) }
        try unsafe [UInt8(ascii: "\n")].withUnsafeBytes { try unsafe target.write($0, at: Int64(json.count)) }
        try target.synchronize()
        try pending.publish(replacing: false)
    }

    /// Removes it, if it is there at all.
    package func undo() {
        // Where the name is still the temporary one, the final one is not ours.
        guard let isPublished = try? pending.hasFinalName(), isPublished else { return }
        try? fileSystem.remove(pending.path)
    }
}
