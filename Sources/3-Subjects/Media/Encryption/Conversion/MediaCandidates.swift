import ValiseAccounts
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Decides for each row whether its file is to be converted.
struct MediaCandidates {
    /// What is to become of a file.
    enum Decision {
        /// - Parameter name: its path in the media folder.
        case convert(name: String)
        case already
        case waiting
        case leave(MediaConversionReport.Reason, Remark)
    }

    private let direction: MediaDirection
    private let store: MediaFolder
    private let filter: MediaFilter
    private let uploads: MediaUploads
    /// Files that several rows name, by their inodes: two names may mean one file, and file systems differ in which
    /// do.
    private var repeated: Set<FileIdentity> = []
    /// Ids that several rows have, in a table that lost its primary key: a key could not be given to one of them.
    private var repeatedIDs: Set<Int64> = []

    init(
        _ direction: MediaDirection, _ store: MediaFolder, _ filter: MediaFilter, _ uploads: MediaUploads,
        _ table: MediaTable, _ connection: borrowing Connection
    ) throws {
        self.direction = direction
        self.store = store
        self.filter = filter
        self.uploads = uploads
        var seen: Set<FileIdentity> = []
        var lastID: Int64?
        try table.forEach(connection) { file in
            if file.fileID == lastID { repeatedIDs.insert(file.fileID) }
            lastID = file.fileID
            // Also rows that are not selected, or wait for their file: it would be theirs too.
            guard case .file(let name, _) = try store.find(file.filePath),
                let identity = try store.identity(name)
            else { return }
            if !seen.insert(identity).inserted { repeated.insert(identity) }
        }
    }

    /// - Returns: nil for a file that is not selected.
    func decide(_ file: MediaReference) throws -> Decision? {
        guard filter.matches(file) else { return nil }
        guard file.shouldBeHere else { return .waiting }
        switch try store.find(file.filePath) {
        case .file(let name, let size): return try decide(file, name, size)
        case .missing: return .leave(.missing, "missing")
        case .elsewhere:
            return .leave(
                .elsewhere, "outside the account, where other programs may need it unchanged")
        case .link: return .leave(.link, "a symbolic link, or reached through one")
        case .notAFile: return .leave(.notAFile, "not a regular file")
        case .impossibleName: return .leave(.impossibleName, "not a valid file name on this file system")
        }
    }

    private func decide(_ file: MediaReference, _ name: String, _ size: Int64) throws -> Decision {
        if file.keys == .broken {
            return .leave(.brokenKey, "the database has only part of its key")
        }
        guard size == file.expectedSize else {
            let (found, expected) = Count.bytes(size, and: file.expectedSize)
            return .leave(
                .otherSize,
                Remark(
                    "it has \(found) instead of \(expected)",
                    remedy: .auditMedia(Remedy.Account(store.location))))
        }
        guard (file.keys == .none) == (direction == .encrypt) else { return .already }
        if try repeatedIDs.contains(file.fileID) || store.identity(name).map(repeated.contains) ?? true {
            return .leave(.namedTwice, "referred to by several database rows")
        }
        if uploads.contains(file.filePath) {
            return .leave(.beingSent, Remark("being sent", remedy: .finishSendingInApp))
        }
        return .convert(name: name)
    }
}
