package import SystemPackage
package import ValiseAccounts
import ValiseRepository

/// What a snapshot is of, by the path under which its snapshots are known.
package enum SnapshotPlace: Sendable, Equatable {
    case account(AccountPlace)
    /// The folder of a store of Session.
    case session(FilePath)

    /// Where it is.
    package var path: FilePath {
        switch self {
        case .account(let place): place.path
        case .session(let folder): folder
        }
    }

    /// As in the record of a snapshot.
    package var snapshotPath: FilePath {
        switch self {
        case .account(let place): place.snapshotPath
        case .session(let folder): folder
        }
    }

    /// What the names of databases begin with that are those of accounts; empty where there are none.
    package var prefix: String {
        switch self {
        case .account(let place): place.prefix
        case .session: ""
        }
    }

    /// What the folder in the snapshot is called.
    var snapshotName: [UInt8] {
        switch self {
        case .account(let place): return place.snapshotName
        case .session(let folder):
            let bytes = Array((folder.lastComponent?.string ?? "").utf8)
            return NodeName.isEntry(bytes) ? bytes : Array("session".utf8)
        }
    }
}
