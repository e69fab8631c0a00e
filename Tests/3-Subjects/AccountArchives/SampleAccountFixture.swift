import FaultInjection
import Synchronization
import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseDatabase
import ValiseFiles
import ValiseSampleAccounts
import ValiseSecrets

/// An encrypted account with chats and media, in memory, and archives of it.
final class SampleAccountFixture {
    let folder: TemporaryFolder
    let location: AccountLocation
    let fileSystem = FileSystem()

    var archive: FilePath { folder.appending("a.zip") }
    var out: FilePath { folder.appending("out") }

    /// A raw key, which needs no derivation.
    static func key() throws -> SecretBytes {
        try SecretBytes(copying: Array(("x'" + String(repeating: "5a", count: 32) + "'").utf8))
    }

    /// Each kind is built once and copied.
    private struct Kind: Hashable {
        let encryption: SampleAccount.MediaEncryption
        let mediaBytes: Int64
    }

    private static let built = Mutex<[Kind: AccountLocation]>([:])

    private static func template(_ kind: Kind) throws -> FilePath {
        try built.withLock { built in
            if let location = built[kind] { return location.directory }
            let folder = try TemporaryFolder.untilExit("valise-archives-template")
            let location = AccountLocation(directory: folder.appending("account"))
            let options = SampleAccount.Options(
                messages: 120, mediaBytes: kind.mediaBytes, mediaEncryption: kind.encryption)
            try SampleAccount(options).build(location, passphrase: key())
            built[kind] = location
            return location.directory
        }
    }

    init(_ encryption: SampleAccount.MediaEncryption = .mixed, mediaBytes: Int64 = 0) throws {
        folder = try TemporaryFolder("valise-archives", inMemory: true)
        location = AccountLocation(directory: folder.appending("account"))
        try TemporaryFolder.copyTree(
            Self.template(Kind(encryption: encryption, mediaBytes: mediaBytes)), to: location.directory)
    }

    @discardableResult
    func export(
        _ options: ArchiveExport.Options = .init(), to archive: FilePath? = nil, of other: FilePath? = nil
    ) throws -> ExportReport {
        try ArchiveExport(options).export(
            other.map { AccountLocation(directory: $0) } ?? location, to: archive ?? self.archive,
            passphrase: Self.key())
    }

    func connection() throws -> Connection {
        try Connection(location.path(of: .chat), mode: .readWrite, passphrase: Self.key())
    }

    func texts(_ sql: String) throws -> [String] {
        try connection().rows(sql).compactMap(\.first?.text)
    }

    /// The files of the account with their bytes, by what a whole archive calls them.
    func files() throws -> [String: [UInt8]] {
        try TemporaryFolder.contents(of: location.directory).compactMapValues(\.self)
    }

    func names(_ archive: FilePath? = nil) throws -> Set<String> {
        Set(try ArchiveListing(archive ?? self.archive).entries.map(\.name))
    }
}
