package import SystemPackage
package import ValiseAccounts
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
            .folder(
                AccountLocation(
                    directory: try FileSystem().resolve(location.directory), prefix: location.prefix,
                    style: location.style))
        }
    }
}
