import Valise

/// The passphrases of two accounts that are compared, and where they come from.
struct DiffKeys: ~Copyable {
    private enum Origin {
        case none, given, stored, asked, ofFirst
    }

    private let options: PassphraseOptions
    private let other: OtherPassphraseOptions
    /// Nil where it is not needed, or not known and nobody can be asked.
    private(set) var first: SecretBytes?
    private(set) var second: SecretBytes?
    private var origins = (first: Origin.none, second: Origin.none)

    init(_ options: PassphraseOptions, _ other: OtherPassphraseOptions) {
        self.options = options
        self.other = other
    }

    mutating func findFirst(_ account: AccountPlace) throws {
        var origin = Origin.none
        first = try find(account, &origin)
        origins.first = origin
    }

    /// What is given comes before what is stored: its own, else that of the first. One that was stored or typed for the
    /// first account is tried last.
    mutating func findSecond(_ account: AccountPlace) throws {
        if let own = try other.given() {
            second = consume own
            origins.second = .given
        } else if origins.first == .given {
            second = try first.duplicate()
            origins.second = .ofFirst
        } else {
            var origin = Origin.none
            second = try find(account, &origin)
            origins.second = origin
        }
    }

    private borrowing func find(_ account: AccountPlace, _ origin: inout Origin) throws -> SecretBytes? {
        if let given = try options.given() {
            origin = .given
            return given
        }
        if case .folder(let location) = account, let stored = try options.stored(for: location) {
            origin = .stored
            return stored
        }
        if let same = try first.duplicate() {
            origin = .ofFirst
            return same
        }
        guard options.canAsk else { return nil }
        origin = .asked
        return try options.source.ask(for: account.path.string)
    }

    /// The failure with what helps against it.
    borrowing func explained(_ error: ComparisonError) -> any Failure {
        switch error.isOfSecond ? origins.second : origins.first {
        case .stored:
            StoredKeyUse.explain(option: error.isOfSecond ? "--other-passphrase-file" : "--passphrase-file")
            return error
        case .ofFirst:
            StoredKeyUse.forget()
            return CommandError(
                .wrongPassphrase,
                "\(error.message); if it has another one than the first account, give --other-passphrase-file",
                subject: error.subject)
        case .none, .given, .asked:
            StoredKeyUse.forget()
            return error
        }
    }
}
