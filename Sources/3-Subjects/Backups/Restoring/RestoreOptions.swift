package import ValiseAccounts

/// What of a snapshot is restored, and how.
package struct RestoreOptions: Sendable {
    /// Which files.
    package enum Selection: Sendable {
        case everything
        case databases(Set<AccountDatabase>)
        /// By their names in an archive.
        case entries(@Sendable (String) -> Bool)

        func contains(_ name: String) -> Bool {
            switch self {
            case .everything: true
            case .databases(let databases): databases.contains { $0.archiveName == name }
            case .entries(let isWanted): isWanted(name)
            }
        }
    }

    /// What databases become that are kept open.
    package enum Databases: Sendable {
        /// Encrypted under the passphrase, with the settings that they had and a new salt.
        case encrypted
        /// As they are in the snapshot, for anybody to read.
        case unencrypted
    }

    package var selection = Selection.everything
    package var databases = Databases.encrypted
    /// What the names of the databases begin with; nil for what they began with when they were backed up.
    package var prefix: String?
    /// Whether media that cannot be read are reported, and all else is restored. Databases are restored in any case.
    package var skipsDamagedMedia = false

    package init() {}
}
