import ValiseAccounts
import ValiseArchives
import ValiseCryptoFiles
import ValiseDatabase
import ValiseFailures
import ValiseFiles

/// What the rows say together, before any file is read: who names which file. Some tens of bytes for each row.
struct MediaCatalogue {
    /// What is known of a name in the store.
    struct Claim {
        /// The first row that says the file should be here; nil where none does.
        var owner: Int64?
        /// Whether rows with different keys or sizes name it.
        var isContested = false
        /// Whether another name is the same where case and the form of accents do not count.
        var hasTwin = false
        /// What was found; nil until then.
        var verdict: MediaVerdict?
    }

    private struct SizedKey {
        let size: Int64
        let fileID: Int64
    }

    private(set) var claims: [NameDigest: Claim] = [:]
    private var foldedNames = FoldedNames()
    private var keys: [SizedKey] = []
    /// The rows of files that are worth all cores, in the order of their ids.
    private(set) var large: [Int64] = []
    /// How many bytes have to be proved.
    private(set) var totalBytes: Int64 = 0
    /// How many of other rows' keys are tried on one file.
    static let mostTries = 16

    /// Goes through all rows.
    ///
    /// - Parameter checkpoint: called for each row; throw to stop.
    /// - Throws: ``DatabaseError``; `SecretsError`; whatever `checkpoint` throws.
    init(
        _ table: MediaTable, _ store: any MediaStore, _ connection: borrowing Connection,
        checkpoint: () throws -> Void
    ) throws {
        try table.forEach(connection) { reference in
            try checkpoint()
            try add(reference, table, store, connection)
        }
        keys.sort { ($0.size, $0.fileID) < ($1.size, $1.fileID) }
    }

    private mutating func add(
        _ reference: MediaReference, _ table: MediaTable, _ store: any MediaStore,
        _ connection: borrowing Connection
    ) throws {
        if reference.keys == .complete {
            keys.append(SizedKey(size: reference.expectedSize, fileID: reference.fileID))
        }
        let place: MediaPlace
        do {
            place = try store.find(reference.filePath)
        } catch {
            // The audit of the row will tell.
            guard TagVerification.reading(error) != nil else { throw error }
            return
        }
        guard let name = place.name else {
            // An archive of the account may hold the file under its last component.
            if let last = reference.filePath.utf8.split(separator: UInt8(ascii: "/")).last {
                claims[NameDigest(String(Substring(last))), default: Claim()].verdict = nil
            }
            return
        }
        try claim(name, place, reference, table, connection)
    }

    private mutating func claim(
        _ name: String, _ place: MediaPlace, _ reference: MediaReference, _ table: MediaTable,
        _ connection: borrowing Connection
    ) throws {
        let digest = NameDigest(name)
        var claim = claims[digest] ?? Claim()
        defer { claims[digest] = claim }
        guard reference.shouldBeHere else { return }
        if let owner = claim.owner {
            if try !Self.agrees(reference, with: owner, table, connection) { claim.isContested = true }
            return
        }
        claim.owner = reference.fileID
        claim.hasTwin = !foldedNames.insert(name)
        guard case .file(_, let size) = place, reference.keys == .complete else { return }
        totalBytes = totalBytes.addingCapped(max(0, size - CryptoFileCipher.overhead))
        if size >= TagVerification.large { large.append(reference.fileID) }
    }

    /// Whether two rows say the same of their file.
    private static func agrees(
        _ reference: MediaReference, with other: Int64, _ table: MediaTable,
        _ connection: borrowing Connection
    ) throws -> Bool {
        guard let other = try table.reference(other, connection), other.fileSize == reference.fileSize,
            other.keys == reference.keys
        else { return false }
        guard reference.keys == .complete else { return true }
        guard let mine = try table.usableKeys(of: reference.fileID, connection),
            let others = try table.usableKeys(of: other.fileID, connection)
        else { return false }
        return mine.equals(others)
    }

    mutating func note(_ verdict: MediaVerdict, of name: NameDigest) {
        claims[name]?.verdict = verdict
    }

    /// Rows whose key is of a file of this size.
    func rows(withKeyForSize size: Int64, except fileID: Int64) -> [Int64] {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].size < size { low = middle + 1 } else { high = middle }
        }
        return keys[low...].prefix { $0.size == size }.prefix(Self.mostTries + 1).map(\.fileID).filter {
            $0 != fileID
        }
    }
}
