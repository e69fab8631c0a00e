import Accounts
import Files
import Secrets
import SystemPackage

/// The passphrase of an account that exists: none is asked for where no database is encrypted.
struct AccountKey {
    private let location: AccountLocation
    private let options: PassphraseOptions

    private let assumingEncrypted: Bool

    /// - Parameter assumingEncrypted: also where the headers are plain.
    init(
        _ location: AccountLocation, _ options: PassphraseOptions, assumingEncrypted: Bool = false
    ) {
        self.assumingEncrypted = assumingEncrypted
        self.location = location
        self.options = options
    }

    func key() throws -> SecretBytes {
        for database in AccountDatabase.allCases {
            let file = try DatabaseFile(location.path(of: database), fileSystem: FileSystem())
            if file.form == .encrypted || file.form == .unknown || assumingEncrypted {
                return try options.existing(for: location)
            }
        }
        return try SecretBytes.empty()
    }
}
