import ArgumentParser
import Valise

struct KeyVerify: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Tell whether a passphrase is right, and if not, why the databases do not open.",
        discussion: """
            For each database: right; wrong; the first page damaged (the passphrase is right, other pages \
            hold under it); other parameters (which); not SQLCipher; not encrypted. Nothing is written. Exit \
            status: 0 right; 10 missing; 13 first page damaged; 12 wrong; 14 other parameters; 1 not \
            SQLCipher; 3 not encrypted; for two databases the first of these that fits.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var cipher: CipherOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let location = try account.find()
        if try AccountRecovery.pending(location)?.state == .after {
            output.note(
                "an interrupted operation waits to be completed; run 'valise account recover' first for an answer "
                    + "about both databases")
        }
        let key = try AccountKey(location, passphrase, assumingEncrypted: cipher.hint != nil).key()
        let results = try PassphraseCheck.run(location, passphrase: key, hint: cipher.hint)
        try output.print(Result(results)) { results.map(\.text).joined(separator: "\n") }
        let order: [PassphraseCheck.Answer] = [
            .missing, .firstPageDamaged, .wrong, .otherParameters, .notSQLCipher, .unencrypted,
        ]
        if let worst = order.first(where: { answer in results.contains { $0.answer == answer } }) {
            throw ExitStatusError(status: worst.exitStatus)
        }
    }

    private struct Result: Encodable {
        struct Database: Encodable {
            let database: AccountDatabase
            let file: String
            let answer: PassphraseCheck.Answer
            let settings: CipherSettings?
            let hasJournal: Bool
            let exitStatus: Int32
        }

        let type = "keyVerified"
        let databases: [Database]

        init(_ results: [PassphraseCheck.Result]) {
            databases = results.map {
                Database(
                    database: $0.database, file: $0.path, answer: $0.answer, settings: $0.settings,
                    hasJournal: $0.hasJournal, exitStatus: $0.answer.exitStatus.rawValue)
            }
        }
    }
}

extension PassphraseCheck.Answer {
    fileprivate var exitStatus: ExitStatus {
        switch self {
        case .right: .done
        case .wrong: .wrongPassphrase
        case .firstPageDamaged: .damaged
        case .otherParameters: .unsupported
        case .notSQLCipher: .failed
        case .unencrypted: .entryErrors
        case .missing: .notFound
        }
    }
}

extension PassphraseCheck.Result {
    fileprivate var text: String {
        let sentence =
            switch answer {
            case .right: "the passphrase is right"
            case .wrong: "the passphrase is wrong (or the first 16 bytes are damaged: then none fits)"
            case .firstPageDamaged:
                "the passphrase is right, but the first page is damaged; 'valise account salvage' saves what "
                    + "can be read"
            case .otherParameters:
                "the passphrase is right, but the database is encrypted \(settings?.text ?? "otherwise"); "
                    + "'valise key upgrade' brings it to today's format"
            case .notSQLCipher: "this is not an encrypted database"
            case .unencrypted: "not encrypted, no passphrase is needed"
            case .missing: "missing"
            }
        let journal = hasJournal ? " (a journal beside it is not folded in yet)" : ""
        return "\(database.rawValue): \(sentence)\(journal)"
    }
}
