import SystemPackage
import ValiseFailures
import ValiseFiles

/// A folder that is looked through, and where what is found there can be moved to by renaming.
struct PurgePlace: Sendable, Equatable {
    /// The folder itself, links resolved.
    let folder: FilePath
    /// The folder that a purge makes its own one in; nil where nothing can be renamed out of ``folder``.
    let base: FilePath?
    /// From ``base`` to ``folder``; empty where they are one.
    let lead: String
    /// Whether ``base`` is the folder of the account.
    private let isInAccount: Bool

    /// The folder of the account itself.
    init(account: FilePath) {
        folder = account
        base = account
        lead = ""
        isInAccount = true
    }

    /// - Returns: nil where there is no such folder.
    /// - Throws: ``FileError``.
    init?(_ name: String, of account: FilePath, _ fileSystem: FileSystem) throws {
        let path = account.appending(name)
        guard try fileSystem.isDirectory(path) else { return nil }
        folder = try fileSystem.resolve(path)
        let device = try fileSystem.attributes(of: folder)?.device
        let home = try fileSystem.resolve(account)
        isInAccount =
            try folder == home.appending(name) && fileSystem.attributes(of: home)?.device == device
        if isInAccount {
            base = account
            lead = name
            return
        }
        // The media folder is a link to another disk: what is moved stays on that disk, beside the folder.
        lead = folder.lastComponent?.string ?? ""
        let isMount = try lead.isEmpty || fileSystem.attributes(of: folder.parentFolder)?.device != device
        base = isMount ? nil : folder.parentFolder
    }

    func path(_ name: String) -> FilePath { folder.appending(name) }

    /// Below the folder of a purge.
    func movedPath(_ name: String) -> String { lead.isEmpty ? name : "\(lead)/\(name)" }

    func shownPath(_ name: String) -> String {
        isInAccount ? movedPath(name) : path(name).string
    }
}
