import SystemPackage
import ValiseAccounts

/// Where restored files go.
struct RestoreTarget {
    let files: FilePath
    let wallpapers: FilePath
    private let others: FilePath?
    private let database: (AccountDatabase) -> FilePath

    /// The folder of an account.
    init(_ location: AccountLocation) {
        files = location.filesFolder
        wallpapers = location.wallpapersFolder
        others = location.directory
        database = { location.path(of: $0) }
    }

    /// What a change puts in place later. There is no place for what is no part of an account.
    ///
    /// - Parameters:
    ///   - files: a folder that goes into the one of media.
    ///   - wallpapers: likewise.
    init(_ change: AccountChange, files: FilePath, wallpapers: FilePath) {
        self.files = files
        self.wallpapers = wallpapers
        others = nil
        database = { change.stagedPath(of: $0) }
    }

    func path(of database: AccountDatabase) -> FilePath { self.database(database) }

    /// Names of archives become those of the account.
    /// - Returns: nil where there is no place for it.
    func path(of name: String) -> FilePath? {
        switch ArchiveLayout.role(of: name) {
        case .file(let name): files.appending(name)
        case .wallpaper(let name): wallpapers.appending(name)
        case .database(let database): path(of: database)
        case .other: others?.appending(name)
        }
    }
}
