import Valise
import ValiseTerminal

/// The calls of this program that a schedule has.
struct ScheduleCalls {
    private let accounts: [BackUpAccounts.Account]
    private let repository: [String]
    private let passphrase: [String]
    private let sealed: Bool

    /// - Throws: `CommandError` where a service would have to ask for the repository's password.
    init(
        _ repository: RepositoryChoiceOptions, _ passphrase: PassphraseOptions,
        _ accounts: [BackUpAccounts.Account],
        sealed: Bool
    ) throws {
        let place = try repository.input().place
        let password = repository.password
        let file = password.passwordFile ?? UserFolders.variable("RESTIC_PASSWORD_FILE")
        let command = password.passwordCommand ?? UserFolders.variable("RESTIC_PASSWORD_COMMAND")
        guard file != nil || command != nil else {
            throw CommandError(
                .invalid, "a service cannot ask for the repository's password",
                hints: [Hint("provide it", options: "--password-file", "--password-command")])
        }
        guard passphrase.source.passphraseFd == nil else {
            throw CommandError(
                .invalid, "a service has no open file descriptor with the passphrase",
                hints: [Hint("provide it", options: "--passphrase-file", "--passphrase-command")])
        }
        self.accounts = accounts
        self.sealed = sealed
        self.repository =
            ["--repo", place.absoluteText] + Self.option("--password-file", file.map(Self.absolute))
            + Self.option("--password-command", file == nil ? command : nil)
            + Self.option("--limit-upload", repository.line.limitUpload.map { "\($0.bytes)" })
            + Self.option("--limit-download", repository.line.limitDownload.map { "\($0.bytes)" })
            + ["--no-input", "--quiet"]
        self.passphrase =
            Self.option("--passphrase-file", passphrase.source.passphraseFile.map(Self.absolute))
            + Self.option("--passphrase-command", passphrase.source.passphraseCommand)
            + Self.option("--key-store", passphrase.keyStore.map(\.name))
            + (passphrase.noKeyStore ? ["--no-key-store"] : [])
    }

    private static func option(_ name: String, _ value: String?) -> [String] {
        value.map { [name, $0] } ?? []
    }

    /// A service begins in another folder.
    private static func absolute(_ path: String) -> String {
        (WorkingFolder.absolute(FilePath(path)) ?? FilePath(path)).string
    }

    /// In the order in which they run.
    func daily(keeping retention: [String], readInDays: Int) -> [[String]] {
        var prefix: [String] = []
        if let only = accounts.first?.prefix { prefix = ["--prefix", only] }
        let names = accounts.map { Self.absolute($0.path.string) }
        var calls = [
            ["backup", "run"] + names + prefix + repository + passphrase + (sealed ? ["--sealed"] : [])
                + ["--wait=2h"]
        ]
        if !retention.isEmpty {
            // What other machines keep is theirs to decide.
            let host = ["--host", BackUpAccounts.usualHostname]
            calls.append(["backup", "forget", "--prune", "--yes"] + host + retention + repository)
        }
        if readInDays > 0 {
            calls.append(["backup", "verify", "--read-in-days", "\(readInDays)"] + repository)
        }
        return calls
    }

    /// One for each account.
    var drills: [[String]] {
        accounts.map { account in
            let isKept = sealed || (try? ExportSession.takes(account.path)) == true
            return ["backup", "drill", Self.absolute(account.path.string)]
                + (account.prefix.map { ["--prefix", $0] } ?? []) + repository + (isKept ? passphrase : [])
        }
    }
}
