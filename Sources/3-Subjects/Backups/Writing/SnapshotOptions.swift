package import SystemPackage
package import ValiseAccounts
package import ValiseRepository
package import ValiseStorage

/// How a snapshot is made.
package struct SnapshotOptions: Sendable {
    /// How files that are no databases are cut.
    package enum Cutting: Sendable {
        /// Into pieces of 1 MiB; small files are one piece.
        case fixed
        /// As restic does, for repositories into which it backs up the same media.
        case asRestic
    }

    /// `open` or `sealed`; unencrypted databases are kept as they are.
    package var mode = BackupMetadata.Mode.open
    /// Of the snapshot, and of those that are compared with.
    package var hostname = LockOwner.systemHostname
    package var username = ""
    package var tags: [String] = []
    /// Such as `valise 1.2`.
    package var program = "valise"
    package var cutting = Cutting.fixed
    /// Whether a database with damaged pages is kept as it is, instead of stopping.
    package var keepsDamaged = false
    /// Whether nothing is written.
    package var isDryRun = false
    /// How long it is waited for programs that lock the repository.
    package var lockPatience = Duration.zero
    package var lockOwner = LockOwner()
    package var clock = StorageClock()
    /// The moment of the snapshot; nil for now.
    package var time: RecordTime?

    package init() {}
}

extension AccountPlace {
    /// The path by which snapshots of the account are known: accounts beside each other in one folder differ in it.
    package var snapshotPath: FilePath {
        guard case .folder(let location) = self, location.prefix != AccountLocation.usualPrefix else {
            return path
        }
        return path.appending(location.prefix)
    }

    /// What the folder in the snapshot is called.
    var snapshotName: [UInt8] {
        let bytes = Array((path.lastComponent?.string ?? "").utf8)
        guard case .archive = self, bytes.count > 4, bytes.suffix(4).elementsEqual(".zip".utf8) else {
            return NodeName.isEntry(bytes) ? bytes : Array("account".utf8)
        }
        return Array(bytes.dropLast(4))
    }

    /// What the names of the databases begin with.
    var prefix: String {
        if case .folder(let location) = self { location.prefix } else { AccountLocation.usualPrefix }
    }
}
