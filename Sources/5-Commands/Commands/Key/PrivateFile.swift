import Valise

/// A file with a secret in it: of mode 0600 from its first moment, and there only when it is whole.
enum PrivateFile {
    /// - Parameters:
    ///   - endsLine: whether a line break follows the secret.
    ///   - force: whether a file of this name is replaced.
    ///   - content: what is replaced then.
    static func write(
        _ secret: borrowing SecretBytes, to path: FilePath, endsLine: Bool = false, force: Bool,
        _ content: ReplaceableContent
    ) throws {
        let fileSystem = FileSystem()
        try checkPlace(path, force: force, content)
        let beside = path.appendingSuffix(".new")
        if try fileSystem.exists(beside) { try fileSystem.remove(beside) }
        var file = try fileSystem.create(beside)
        do {
            try secret.withBytes { try file.write($0) }
            if endsLine { try file.write([UInt8(ascii: "\n")]) }
            try file.synchronize()
            try file.close()
            if force {
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

    /// Before the work begins that makes the secret.
    /// - Throws: ``CommandError``: `alreadyExists`; `FileError`.
    static func checkPlace(_ path: FilePath, force: Bool, _ content: ReplaceableContent) throws {
        if force { return try content.check(path) }
        guard try !FileSystem().exists(path) else {
            throw CommandError(
                .alreadyExists, "something of this name is there; replace it with --force",
                subject: path.string)
        }
    }
}
