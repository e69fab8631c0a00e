import SystemPackage
import ValiseAccountArchives
import ValiseAccounts

/// What the receiving side keeps of a move. Its links are secret; a passphrase is never here.
struct ReceivingMove: StoredMove {
    /// A database that was in place before the import, by which it is known that it still is.
    struct Previous: Codable, Sendable, Equatable {
        let stamp: FileStamp

        private enum CodingKeys: String, CodingKey {
            case inode, size, modificationTime, modificationNanoseconds

            static let stamp = FileStampKeys<Self>(
                inode: .inode, size: .size, seconds: .modificationTime, nanoseconds: .modificationNanoseconds)
        }

        init(_ stamp: FileStamp) { self.stamp = stamp }

        init(from decoder: any Decoder) throws {
            stamp = try FileStamp(from: decoder.container(keyedBy: CodingKeys.self), CodingKeys.stamp)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try stamp.encode(to: &container, CodingKeys.stamp)
        }
    }

    var state = ReceivingState.pasteOrScanLink
    /// As they were given; none of a finished move.
    var links: [String]
    /// By which they are known afterwards: nothing can be received with it.
    var fingerprint: [String]
    /// An archive file that was given instead of links; it is the user's, and stays.
    var archive: String?
    /// Where is put what is received; nil where an archive file was given.
    var workFolder: String?
    /// Whether a user has seen what the link says.
    var isConfirmed = false
    /// Whether any relay may be used; nil for no.
    var approvesRelays: Bool?
    /// Addresses of relays about which a user said yes; nil for none.
    var approvedRelays: [String]?
    /// Of the archive as it travels, in bytes.
    var size: Int64?
    /// The databases in place before the import began; empty for none.
    var previous: [Previous] = []
    /// Entries that are damaged in the archive itself.
    var damagedEntries: [String]?
    /// Set once the account is in place.
    var proof: AccountProof?
    var imported: ReceivedImport?
    var schema: ReceivedSchema?
    /// Nil before it was decided.
    var network: ReceivedAccount.NetworkSettings?
    /// Of a cancelled one: whether the account is in place.
    var isInPlace = false

    /// What has no key here is not kept.
    private enum CodingKeys: String, CodingKey {
        case state, links, fingerprint, archive, workFolder, isConfirmed, size, damagedEntries, proof
        case imported, schema, network, isInPlace, approvesRelays, approvedRelays
        case previous = "former"
    }

    static var side: MoveSide { .receiving }

    private static let archiveName = "archive.zip"

    /// Where the archive is, or will be.
    var archivePath: FilePath? {
        archive.map { FilePath($0) } ?? workFolder.map { FilePath($0).appending(Self.archiveName) }
    }

    func describe(_ summary: inout MoveSummary) {
        summary.words = proof?.words
        summary.size = size
        summary.archive = archive
        summary.replaced = replaced
    }

    /// The record has them without names: where there was one alone, nobody knows which.
    private var replaced: [AccountDatabase: FileStamp] {
        guard previous.count == AccountDatabase.allCases.count else { return [:] }
        return Dictionary(uniqueKeysWithValues: zip(AccountDatabase.allCases, previous.map(\.stamp)))
    }
}
