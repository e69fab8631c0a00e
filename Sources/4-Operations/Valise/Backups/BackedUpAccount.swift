package import SystemPackage
package import ValiseAccounts
package import ValiseBackups
import ValiseFiles

extension AccountPlace {
    /// An account by the path under which its snapshots are known: absolute, and with no links in it.
    ///
    /// - Parameters:
    ///   - path: a folder, folder and prefix in one, or an archive.
    ///   - prefix: which account, where the folder holds several.
    /// - Throws: `AccountError`; `FileError`.
    package static func backedUp(_ path: FilePath, prefix: String? = nil) throws -> AccountPlace {
        switch try find(path, prefix: prefix) {
        case .archive(let path): .archive(try FileSystem().resolve(path))
        case .folder(let location):
            .folder(try location.resolved())
        }
    }
}

extension SnapshotPlace {
    /// What is backed up, by the path under which its snapshots are known: absolute, and with no links in it.
    ///
    /// - Parameters:
    ///   - path: of an account, or the folder of a store of Session.
    ///   - prefix: which account, where the folder holds several.
    /// - Throws: `AccountError`; `FileError`.
    package static func backedUp(_ path: FilePath, prefix: String? = nil) throws -> SnapshotPlace {
        if prefix == nil, let session = try SessionSource.find(path) { return .session(session.path) }
        return .account(try AccountPlace.backedUp(path, prefix: prefix))
    }
}

extension AccountLocation {
    /// The same account by an absolute path with no links in it.
    /// - Throws: `FileError` where its folder is not there.
    func resolved() throws -> AccountLocation {
        AccountLocation(directory: try FileSystem().resolve(directory), prefix: prefix, style: style)
    }

    /// The path by which the snapshots of a resolved account are known.
    var snapshotPath: String { AccountPlace.folder(self).snapshotPath.string }
}
