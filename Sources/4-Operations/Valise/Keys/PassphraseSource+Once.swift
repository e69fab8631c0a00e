import SystemPackage
import ValiseFiles

extension PassphraseSource {
    /// The same for who reads it several times: what can be read only once is read now.
    ///
    /// A regular file can be read again, and stays one: the key of a phone's database is no line of text.
    /// - Throws: as ``read()``; `FileError`.
    func readOnce() async throws -> PassphraseSource {
        if case .file(let path)? = given, try Self.isRegular(path) { return self }
        guard let text = try await read() else { return self }
        var source = self
        source.given = .secret(text)
        return source
    }

    /// Whether a path is a regular file, or a link to one. That of a pipe leads nowhere.
    private static func isRegular(_ path: FilePath) throws(FileError) -> Bool {
        let fileSystem = FileSystem()
        guard let target = try? fileSystem.resolve(path) else { return false }
        return try fileSystem.attributes(of: target)?.kind == .regular
    }
}
