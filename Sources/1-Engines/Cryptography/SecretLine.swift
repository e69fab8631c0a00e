package import SystemPackage
package import ValiseFiles
package import ValiseSecrets

extension SecretBytes {
    /// In bytes.
    private static let longestFile = 4096

    /// The first line of a file, without its end: how servers get passwords and keys.
    /// - Throws: `FileError`, also for a file that is too long; ``SecretsError``.
    package init(firstLineOf path: FilePath, _ fileSystem: FileSystem) throws {
        var bytes = try fileSystem.contents(of: path, limit: Self.longestFile)
        defer { unsafe bytes.withUnsafeMutableBytes { unsafe SecretMemory.wipe($0) } }
        var line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        try self.init(copying: line)
    }
}
