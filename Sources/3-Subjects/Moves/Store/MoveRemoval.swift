import SystemPackage
import ValiseAccounts
import ValiseFiles

/// A record that is about to be removed. It is this run's until then.
struct MoveRemoval: Sendable {
    let place: FilePath
    /// Nil where not even that can be read.
    let header: MoveHeader?
    let lock: DirectoryLock
    let fileSystem: FileSystem

    /// Removes what was received, where the record still tells the place, and then the record.
    /// - Throws: ``FileError``: the same again goes on.
    func remove() throws {
        defer { withExtendedLifetime(lock) {} }
        if let header, header.side == .receiving { try removeReceived(header) }
        try MoveStore.remove(place, fileSystem)
    }

    /// It lies in the account's folder or, where that was not there yet, in the first one above it that was.
    private func removeReceived(_ header: MoveHeader) throws {
        var folder = header.account.location.directory
        while true {
            let work = folder.appending(AccountLocation.receptionName(header.id))
            if try fileSystem.exists(work) { try fileSystem.removeTree(work) }
            guard folder != folder.parentFolder else { return }
            folder = folder.parentFolder
        }
    }
}
