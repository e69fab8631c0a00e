import SystemPackage
import ValiseFailures
import ValiseFiles
package import ValiseMoves
import ValiseXFTPWire

/// The source of an account, as users name it.
extension MoveSource {
    /// A link, or an existing archive.
    ///
    /// - Throws: ``OperationError``: `invalid`, `notFound`; `FileError`. No error contains a link: anyone with it has the
    ///   account.
    package static func named(_ text: String) throws -> MoveSource {
        let bare = FileReferences.bare(text[...])
        if bare.isEmpty || FileLink.isLink(bare) { return .links([try link(text)]) }
        let path = FilePath(text)
        try FileReferences.checkIsNoLink(bare, path)
        guard try FileSystem().exists(path) else {
            throw OperationError(
                .notFound, "neither a link nor an existing archive. Nothing was received.", subject: text)
        }
        try checkHoldsNoLink(path)
        return .archive(path)
    }

    /// Links have a few thousand characters at most. Whoever saved one in a file means what it leads to.
    private static func checkHoldsNoLink(_ path: FilePath) throws {
        guard let bytes = try? FileSystem().contents(of: path, limit: 1 << 16),
            FileLink.isLink(FileReferences.bare(String(decoding: bytes, as: UTF8.self)[...]))
        else { return }
        throw OperationError(
            .invalid, "this file contains a link, not an archive. Nothing was received.",
            subject: path.string, need: .linkInFile)
    }

    /// One of several links, without what comes along when it is copied.
    ///
    /// - Throws: ``OperationError`` with `invalid` for anything else.
    package static func link(_ text: String) throws -> String {
        let text = FileReferences.bare(text[...])
        guard FileLink.isLink(text) else {
            throw OperationError(
                .invalid, "cannot mix links and archives", remedy: .giveOneSource)
        }
        return text
    }
}
