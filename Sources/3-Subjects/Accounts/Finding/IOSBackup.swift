import SystemPackage
import ValiseFiles

/// A backup of a phone on a computer. Each file in it is named by the SHA-1 of its domain, a dash and its path, in a folder
/// of the first two digits; encrypted backups have the same names.
struct IOSBackup {
    private static let list = "Manifest.db"
    private static let properties: Set<String> = ["Manifest.plist", "Info.plist"]

    /// The names of an app's databases, by the prefix that they have on the phone.
    private static let names: [(prefix: String, chat: String, agent: String)] = [
        // AppDomainGroup-group.chat.simplex.app
        (
            AccountLocation.usualPrefix, "3f844f6159982880c58b9ad1e23c309e4100aca6",
            "ef63e3eefe402c52bb61bef1ec1006cf6542fe38"
        ),
        // AppDomain-chat.simplex.app, Documents
        (
            "mobile_v1", "cba6ff791172d19a22936617cdc70636cb5b9354",
            "e61315c9e450001054ba6bd0a44a95579c542062"
        ),
    ]

    let folder: FilePath
    /// Of each account, the databases that are in the backup.
    let accounts: [(prefix: String, files: [AccountDatabase: FilePath])]
    let isEncrypted: Bool

    /// Whether a folder with these files is a backup.
    static func isBackup(_ files: Set<String>) -> Bool {
        files.contains(list) && !files.isDisjoint(with: properties)
    }

    /// What of a folder's files shows that it is a backup.
    static func isSign(_ name: String) -> Bool { name == list || properties.contains(name) }

    /// - Throws: `FileError`.
    init(_ folder: FilePath, _ fileSystem: FileSystem) throws(FileError) {
        self.folder = folder
        var accounts: [(prefix: String, files: [AccountDatabase: FilePath])] = []
        for (prefix, chat, agent) in Self.names {
            var files: [AccountDatabase: FilePath] = [:]
            for (database, name) in [(AccountDatabase.chat, chat), (AccountDatabase.agent, agent)] {
                let path = folder.appending(String(name.prefix(2))).appending(name)
                if try fileSystem.exists(path) { files[database] = path }
            }
            if !files.isEmpty { accounts.append((prefix, files)) }
        }
        self.accounts = accounts
        let head = try fileSystem.openForReading(folder.appending(Self.list)).bytes(
            at: 0, count: DatabaseFile.unencryptedHeader.count)
        // The list of an encrypted backup is encrypted, too.
        isEncrypted = head != DatabaseFile.unencryptedHeader
    }
}
