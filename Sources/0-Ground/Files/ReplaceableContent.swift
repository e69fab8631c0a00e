package import SystemPackage
import ValiseFailures

/// What an output may take the place of: a file of its own kind, or an empty one. A wrong name would cost something else
/// otherwise.
package struct ReplaceableContent: Sendable {
    /// Looks at a file with its first ``headSize`` bytes.
    package typealias Match = @Sendable (FilePath, _ head: [UInt8], FileSystem) throws(FileError) -> Bool

    /// So many bytes of a file are looked at, unless they leave a doubt.
    package static let headSize = 4096

    /// With its article, such as `an archive of an account`.
    package let name: String
    private let matches: Match

    /// - Parameters:
    ///   - name: with its article.
    ///   - matches: whether a file is of the kind.
    package init(_ name: String, _ matches: @escaping Match) {
        self.name = name
        self.matches = matches
    }

    /// For files under names that no user chose.
    package static let anything = ReplaceableContent("a file") { _, _, _ throws(FileError) in true }

    /// Refuses a place that has anything else.
    /// - Throws: ``FileError``: `alreadyExists`; `unsupported` for what is no file at all.
    package func check(_ path: FilePath, fileSystem: FileSystem = FileSystem()) throws(FileError) {
        try PendingFile.checkPlace(path, fileSystem: fileSystem)
        guard let found = try fileSystem.attributes(of: path), found.size > 0 else { return }
        let head = try fileSystem.openForReading(path).bytes(at: 0, count: Self.headSize)
        guard try !matches(path, head, fileSystem) else { return }
        throw FileError(
            .alreadyExists,
            "existing file is not \(name), so it is not replaced", path,
            remedy: .removeOrChooseAnotherName(path))
    }
}
