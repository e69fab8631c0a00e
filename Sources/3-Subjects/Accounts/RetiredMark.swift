import SystemPackage
import ValiseEncoding
import ValiseFailures
package import ValiseFiles

/// Says that an account was moved to another machine: Valise neither reads nor changes nor runs what is left of it here.
///
/// A file `PREFIX.valise-moved` beside the databases, which are called `PREFIX_chat.db.moved` and `PREFIX_agent.db.moved`
/// then. That it is there counts, whatever it holds (Documentation/formats/move.md).
package struct RetiredMark: Sendable, Equatable, Codable {
    /// When it was moved, as `2026-01-31T12:00:00Z`.
    package let moved: String?
    /// The words by which both machines were compared, with spaces between them.
    package let words: String?
    /// Who did it, such as `valise 0.7.0`.
    package let tool: String?
    private var version: Int? = 1

    static let suffix = ".valise-moved"
    /// What is appended to the name of a database.
    static let databaseSuffix = ".moved"
    private static let sizeLimit = 1 << 16

    package init(moved: String?, words: String?, tool: String?) {
        self.moved = moved
        self.words = words
        self.tool = tool
    }

    /// Whether an account has it.
    /// - Throws: `FileError` when the system does not let us look.
    package static func isThere(
        _ location: AccountLocation, fileSystem: FileSystem
    ) throws(FileError) -> Bool {
        try fileSystem.exists(location.retiredMarkPath)
    }

    /// What an account's mark says: nothing, where it cannot be read.
    /// - Returns: nil for an account without one.
    /// - Throws: `FileError` when the system does not let us look.
    package static func read(
        _ location: AccountLocation, fileSystem: FileSystem
    ) throws(FileError) -> RetiredMark? {
        guard try isThere(location, fileSystem: fileSystem) else { return nil }
        let bytes = try? fileSystem.contents(of: location.retiredMarkPath, limit: sizeLimit)
        let mark = bytes.flatMap { try? JSONText.decode(RetiredMark.self, from: $0) }
        return mark ?? RetiredMark(moved: nil, words: nil, tool: nil)
    }

    /// What an operation says that is asked for on a retired account.
    package var sentence: String {
        let when = moved.map { " on \($0.prefix(10))" } ?? ""
        return
            "this account was moved to another machine\(when) and is retired here. Starting it would break "
            + "connections of the moved account."
    }

    /// Every operation on an account begins with this; ``AccountWriter``, ``AccountReader`` and ``AccountLock`` do it for those
    /// that have one.
    /// - Throws: ``AccountError`` with `unsupported` for an account that has the mark; `FileError`.
    package static func refuse(_ location: AccountLocation, fileSystem: FileSystem) throws {
        guard let mark = try read(location, fileSystem: fileSystem) else { return }
        throw AccountError(
            .unsupported, mark.sentence, location.directory,
            remedy: .removeOrRestoreRetired(Remedy.Account(location)))
    }

    /// Makes the mark, durably: from then on the account is retired.
    /// - Throws: `FileError`: `alreadyExists` where it has one.
    package func write(_ location: AccountLocation, fileSystem: FileSystem) throws {
        let file = try PendingFile(location.retiredMarkPath, fileSystem: fileSystem)
        var partial = try file.open()
        try partial.write(try JSONText.encodeBytes(self))
        try partial.synchronize()
        try partial.close()
        try file.publish(replacing: false)
    }
}
