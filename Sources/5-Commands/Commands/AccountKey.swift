import Valise

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
        try isNeeded() ? options.existing(for: location) : SecretBytes.empty()
    }

    /// The one that the options or a key store have, for what can be done without: nobody is asked, and nil is none. A store
    /// that fails is said to, and is a failure only where it was chosen.
    func known(_ output: OutputOptions) throws -> SecretBytes? {
        if let given = try options.given() { return given }
        guard try isNeeded() else { return nil }
        do {
            return try options.stored(for: location)
        } catch let error as KeyStorageError where options.keyStore == nil && error.code != .interrupted {
            output.warn("this is done without a passphrase: \(error)")
            return nil
        }
    }

    private func isNeeded() throws -> Bool {
        if assumingEncrypted { return true }
        return try AccountDatabase.allCases.contains { database in
            let form = try DatabaseFile(location.path(of: database), fileSystem: FileSystem()).form
            return form == .encrypted || form == .unknown
        }
    }
}
