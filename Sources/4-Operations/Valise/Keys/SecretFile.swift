package import SystemPackage
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// A file with a secret in it: of mode 0600 from its first moment, and there only when it is whole.
package struct SecretFile: Sendable {
    private let path: FilePath
    private let replaces: Bool
    private let content: ReplaceableContent

    /// - Parameters:
    ///   - replaces: whether a file of this name is replaced.
    ///   - content: what is replaced then.
    package init(_ path: FilePath, replaces: Bool, _ content: ReplaceableContent) {
        self.path = path
        self.replaces = replaces
        self.content = content
    }

    /// Before the work begins that makes the secret.
    /// - Throws: ``OperationError``: `alreadyExists`; `FileError`: `notFound` where the folder is missing.
    package func check() throws {
        guard try FileSystem().isDirectory(path.parentFolder) else {
            throw FileError.noFolder(path.parentFolder)
        }
        // Before the advice to replace it, which would be refused.
        try content.check(path)
        if replaces { return }
        guard try !FileSystem().exists(path) else {
            throw OperationError(
                .alreadyExists, "already exists", subject: path.string, need: .replacing)
        }
    }

    /// - Parameter endsLine: whether a line break follows the secret.
    package func write(_ secret: borrowing SecretBytes, endsLine: Bool = false) throws {
        try check()
        let fileSystem = FileSystem()
        let beside = path.appendingSuffix(".new")
        if try fileSystem.exists(beside) { try fileSystem.remove(beside) }
        var file = try fileSystem.create(beside)
        do {
            try unsafe secret.withBytes { try unsafe file.write($0) }
            if endsLine { try file.write([UInt8(ascii: "\n")]) }
            try file.synchronize()
            try file.close()
            if replaces {
                try content.check(path)
                try fileSystem.rename(beside, to: path)
            } else {
                try fileSystem.renameExclusively(beside, to: path)
            }
        } catch {
            try? fileSystem.remove(beside)
            throw error
        }
        try fileSystem.synchronizeDirectory(path.parentFolder)
    }
}
