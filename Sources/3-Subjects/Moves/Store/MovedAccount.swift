import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseFiles

/// By what a later run knows an account: where it is.
struct MovedAccount: Sendable, Equatable, Codable {
    /// Absolute, without links as far as it is there.
    let directory: String
    let prefix: String
    let style: AccountLocation.Style

    init(_ location: AccountLocation, _ fileSystem: FileSystem) throws(FileError) {
        directory = try Self.resolved(location.directory, fileSystem).string
        prefix = location.prefix
        style = location.style
    }

    /// Also of a folder that will be made.
    private static func resolved(
        _ path: FilePath, _ fileSystem: FileSystem
    ) throws(FileError) -> FilePath {
        if try fileSystem.exists(path) { return try fileSystem.resolve(path) }
        guard let name = path.lastComponent, name.kind == .regular else {
            throw FileError(.notFound, "no such folder", path)
        }
        return try resolved(path.parentFolder, fileSystem).appending(name)
    }

    var location: AccountLocation {
        AccountLocation(directory: FilePath(directory), prefix: prefix, style: style)
    }

    /// The names of media folders are of no account.
    func isSame(as other: MovedAccount) -> Bool {
        directory == other.directory && prefix == other.prefix
    }

    /// Never of a record that cannot be read: it names no account.
    func isSame(as summary: MoveSummary) -> Bool {
        directory == summary.directory && prefix == summary.prefix
    }
}
