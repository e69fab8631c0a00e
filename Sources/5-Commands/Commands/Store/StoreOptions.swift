import ArgumentParser
import Valise
import ValiseTerminal

/// The store that a command works on.
struct StoreArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A folder, s3:https://HOST/BUCKET/PREFIX, or seaweedfs://HOST:PORT/BUCKET/PREFIX.",
            valueName: "store"), completion: .directory)
    var store: String
}

/// What opens its files, and how much of the line is used.
struct StoreOptions: ParsableArguments {
    @OptionGroup var keys: StoreKeyOptions
    @OptionGroup var line: TransferLimitOptions

    /// Whether the user can be asked.
    var canAsk: Bool { keys.secret.canAsk }

    /// For operations.
    /// - Parameter hasOtherPassphrase: whether a passphrase may be for something else than the options of keys say.
    func input(_ store: StoreArgument, hasOtherPassphrase: Bool = false) throws -> StoreInput {
        try input(store.store, hasOtherPassphrase: hasOtherPassphrase)
    }

    func input(_ address: String, hasOtherPassphrase: Bool = false) throws -> StoreInput {
        let keys = try hasOtherPassphrase ? keys.known() : keys.source()
        var input = StoreInput(try StoreAddress(address), keys: keys)
        input.access = try StorageAccess(variable: UserFolders.variable)
        input.limits = line.limits
        return input
    }
}

/// Where the keys of a store come from.
struct StoreKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the master key from this file: 32 bytes, or 64 hexadecimal digits. If left out: "
                + "VALISE_STORE_KEY_FILE.", valueName: "file"), completion: .file())
    var keyFile: String?

    @Option(
        help: ArgumentHelp(
            "Derive the master key from a passphrase with this salt of 32 hexadecimal digits, as the command line of "
                + "tcfs does.", valueName: "digits"))
    var saltHex: String?

    @Option(
        help: ArgumentHelp(
            "Derive the master key from a passphrase with this text as salt, as the apps of tcfs do; digits in it are "
                + "not decoded.", valueName: "text"))
    var saltText: String?

    @Flag(help: "Derive the master key from a recovery phrase of 24 words, which is read as a passphrase is.")
    var recoveryPhrase = false

    @Option(
        help: ArgumentHelp(
            "Read the private key of a device from this file, as age-keygen writes it. If left out: "
                + "VALISE_STORE_IDENTITY.", valueName: "file"), completion: .file())
    var identity: String?

    @Option(
        help: ArgumentHelp("Use only keys of files that are wrapped for this device.", valueName: "name"))
    var identityDevice: String?

    @OptionGroup var secret: PassphraseSourceOptions

    func validate() throws {
        guard kinds <= 1 else {
            throw ValidationError("Use only one of --key-file, --salt-hex, --salt-text, --recovery-phrase")
        }
        guard identityDevice == nil || identity != nil else {
            throw ValidationError("--identity-device is for --identity")
        }
    }

    private var kinds: Int {
        [keyFile != nil, saltHex != nil, saltText != nil, recoveryPhrase].count { $0 }
    }

    /// Nil where the user is asked.
    var given: PassphraseSource.Given? { secret.choice.given }

    /// For operations: what the options say, else the environment.
    func source() throws -> StoreKeySource {
        guard kinds > 0 || given == nil else {
            throw CommandError(
                .invalid, "a passphrase alone does not say which key it makes",
                hints: [
                    Hint("say how it becomes one", options: "--salt-hex", "--salt-text", "--recovery-phrase")
                ])
        }
        return try known()
    }

    /// The same where a passphrase may be for something else.
    func known() throws -> StoreKeySource {
        var source = StoreKeySource(master)
        if kinds == 0 { source = try StoreKeySource(variable: UserFolders.variable) }
        if let identity { source.identity = FilePath(identity) }
        source.identityDevice = identityDevice
        return source
    }

    private var master: StoreKeySource.Master? {
        if let keyFile { return .file(FilePath(keyFile)) }
        if let saltHex { return .passphrase(given, .hex(saltHex)) }
        if let saltText { return .passphrase(given, .text(saltText)) }
        return recoveryPhrase ? .recoveryPhrase(given) : nil
    }
}

/// How a store is written to.
struct StoreWritingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The name of this device in the store. If left out: that of the machine.", valueName: "name"))
    var device: String?

    @Flag(
        help: """
            Write as the last version of tcfs does: devices that write at the same time are safe from each other. \
            Needs a server with conditional writes; the first versions of tcfs cannot read the files.
            """)
    var guarded = false

    @Flag(help: "Cut files into the small chunks of tcfs, to share them with what it stored.")
    var tcfsChunks = false

    @Flag(help: "Store chunks again that are there already: this repairs damaged ones.")
    var rewriteChunks = false

    /// For operations.
    var writing: StoreWriting {
        var writing = StoreWriting()
        writing.isGuarded = guarded
        writing.cutsAsTCFS = tcfsChunks
        writing.rewritesChunks = rewriteChunks
        return writing
    }
}

extension Answers {
    /// Of a command on a store.
    init(_ store: StoreOptions, yes: Bool = false) {
        self.init(canAsk: store.canAsk, isUnaskable: store.keys.secret.input.noInput, isYes: yes)
    }
}
