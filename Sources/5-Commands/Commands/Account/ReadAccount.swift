import SystemPackage
import ValiseAccounts
import ValiseFiles
import ValiseSecrets

/// An account that a command reads, in a folder or in a zip, and its passphrase.
struct ReadAccount: ~Copyable {
    let reader: AccountReader
    let key: SecretBytes

    /// Asks for the passphrase where one is needed, then opens. An archive is opened before: its first bytes say whether.
    ///
    /// - Parameter databases: those that are needed.
    init(
        _ account: AccountOptions, _ passphrase: PassphraseOptions,
        databases: [AccountDatabase] = AccountDatabase.allCases
    ) throws {
        let path = FilePath(account.directory)
        if try FileSystem().attributes(of: path)?.kind == .regular {
            let archive = try AccountReader(.archive(path))
            let isEncrypted = try databases.map { try archive.isEncrypted($0) }.contains(true)
            self.init(
                archive,
                isEncrypted ? try passphrase.source.existing(for: path.string) : try SecretBytes.empty())
        } else {
            let location = try account.find()
            let key = try AccountKey(location, passphrase).key()
            self.init(try AccountReader(location), key)
        }
    }

    private init(_ reader: AccountReader, _ key: consuming SecretBytes) {
        self.reader = reader
        self.key = key
    }
}

extension OutputOptions {
    /// Says that an account was in use while it was read.
    func noteUse(of path: String, by holder: String?) {
        guard let holder else { return }
        note("\(path) is in use by \(holder); what was read is its state of one moment")
    }
}
