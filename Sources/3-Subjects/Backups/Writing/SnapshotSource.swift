import SystemPackage
package import ValiseAccounts
import ValiseFailures
import ValiseFiles
package import ValiseSessionStore

/// What a snapshot is made of. Both kinds have files; only an account has databases whose pages Valise knows.
package enum SnapshotSource: Sendable {
    /// An account, opened with an absolute path, and the same account's place.
    case account(AccountReader, AccountPlace)
    /// The files of a store of Session, by an absolute path.
    case session(SessionFiles)

    /// By which its snapshots are known.
    package var place: SnapshotPlace {
        switch self {
        case .account(_, let place): .account(place)
        case .session(let files): .session(files.folder)
        }
    }

    /// The program that was using it; nil for none.
    package var holder: String? {
        switch self {
        case .account(let reader, _): reader.holder
        case .session(let files):
            LockHolder.named(
                ofAny: files.files.filter(\.isOfDatabase).map { files.folder.pushing(FilePath($0.name)) })
        }
    }

    /// What it says of a store of Session; nil for an account.
    var session: SessionFiles? {
        if case .session(let files) = self { files } else { nil }
    }

    /// All files, and what of others is no part of a backup.
    func entries() throws -> (entries: [AccountEntry], leftOut: [String]) {
        switch self {
        case .account(let reader, _): return try reader.entries()
        case .session(let files):
            let entries = files.files.map { AccountEntry($0.name, $0.attributes, size: $0.size) }
            return (entries, files.leftOut)
        }
    }

    /// The bytes of a file.
    func source(of entry: AccountEntry) throws -> any ByteSource {
        switch self {
        case .account(let reader, _): return try reader.source(of: entry)
        case .session(let files):
            guard let file = files[entry.name] else {
                throw BackupError(.notFound, "no such file in the store", entry.name)
            }
            return try file.open()
        }
    }

    /// Whether a file is read each time, whatever its times say.
    func isAlwaysRead(_ entry: AccountEntry) -> Bool { session?[entry.name]?.isOfDatabase == true }
}
