import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseXFTPWire

extension SendPlan {
    /// More than any header has; as uploads are divided.
    private static let headerSpace: Int64 = 1024

    /// Looks at the account. Its passphrase is right.
    ///
    /// - Parameter largest: that one description names, in bytes as it travels.
    init(
        _ location: AccountLocation, _ passphrase: borrowing SecretBytes, _ options: SendOptions,
        largest: Int64, _ fileSystem: FileSystem
    ) throws {
        let found = try ArchiveExport(fileSystem: fileSystem).contents(
            of: location, passphrase: passphrase.duplicate())
        entries = found.entries
        sourceSize = found.sourceSize
        archiveSize = found.spaceNeeded
        archiveErrors = found.archiveErrors
        folded = found.folded
        let settings = try AppSettings.network(location, passphrase, fileSystem)
        hasAppSettings = settings.areThere
        networkConfig = options.networkConfig ?? (options.includesNetworkConfig ? settings.config : nil)
        switch options.destination {
        case .file(let path, _):
            (chunks, parts, relays, archive) = (0, 1, [], path.string)
            freeSpace = try fileSystem.freeSpace(at: fileSystem.nearestExisting(path.parentFolder))
        case .relays(let accesses):
            let layout = try EncryptedFileLayout(fileSize: archiveSize, name: SendingRun.name(created: 0))
            chunks = layout.chunks.count
            let step = largest - Self.headerSpace
            parts = layout.encryptedSize <= largest ? 1 : Int((archiveSize + step - 1) / step)
            relays = accesses.map(\.address.text)
            archive = nil
            freeSpace = nil
        }
    }
}

extension AppSettings {
    /// What of the settings goes into a link. Those that are no JSON keep nobody from moving: they stay as they are.
    static func network(
        _ location: AccountLocation, _ passphrase: borrowing SecretBytes, _ fileSystem: FileSystem
    ) throws -> (areThere: Bool, config: NetworkConfig?) {
        do {
            let settings = try read(location, passphrase: passphrase, fileSystem: fileSystem)
            return (settings != nil, settings?.networkConfig)
        } catch let error as DeviceMigrationError where error.kind == .invalidSettings {
            return (true, nil)
        }
    }
}
