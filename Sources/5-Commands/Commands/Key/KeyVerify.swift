import ArgumentParser
import Valise

struct KeyVerify: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check a passphrase, and explain why it fails.",
        discussion: """
            Shows for each database: correct; wrong; first page damaged (the passphrase is correct and opens other \
            pages); other parameters (which); not SQLCipher; not encrypted. Nothing is written. Exit status: 0 \
            correct; 10 missing; 13 first page damaged; 12 wrong; 14 other parameters; 1 not SQLCipher; 3 not \
            encrypted; for two databases, the first of these that applies.
            """)

    @OptionGroup var account: AccountOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var cipher: CipherOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let location = try account.find(output)
        var operation = VerifyPassphrase(of: location, passphrase: passphrase.choice)
        operation.hint = cipher.hint
        let report = try output.run(operation, Answers(passphrase))
        let result = Result(databases: report.databases.map { Result.Database($0) }, inUse: report.inUse)
        try output.print(result) {
            // Nothing helps an agent database alone.
            let isUseless = report.databases.contains { $0.database == .chat && $0.answer == .missing }
            let remedies = isUseless ? [] : report.databases.compactMap { $0.answer.remedy(.init(location)) }
            return (report.databases.map(\.text) + RemedyCommand.notes(remedies)).joined(separator: "\n")
        }
        if let worst = report.worst { throw ExitStatusError(status: worst.exitStatus) }
    }

    private struct Result: Encodable {
        struct Database: Encodable {
            let database: AccountDatabase
            let file: String
            let answer: PassphraseAnswer
            let settings: CipherSettings?
            let hasJournal: Bool
            let exitStatus: Int32

            init(_ result: PassphraseCheck.Result) {
                (database, file, answer) = (result.database, result.path, result.answer)
                (settings, hasJournal) = (result.settings, result.hasJournal)
                exitStatus = answer.exitStatus.rawValue
            }
        }

        let type = "keyVerified"
        let databases: [Database]
        let inUse: String?
    }
}

extension PassphraseAnswer {
    fileprivate func remedy(_ account: Remedy.Account) -> Remedy? {
        switch self {
        case .firstPageDamaged: .salvageAccount(account)
        case .otherParameters: .upgradeCipher(account)
        default: nil
        }
    }

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
            case .right: "the passphrase is correct"
            case .wrong: "wrong passphrase (or damaged salt: then no passphrase works)"
            case .firstPageDamaged:
                "the passphrase is correct, but the first page is damaged"
            case .otherParameters:
                "the passphrase is correct, but the database is encrypted \(settings?.text ?? "otherwise")"
            case .notSQLCipher: "not an encrypted database"
            case .unencrypted: "not encrypted, no passphrase needed"
            case .missing: "missing"
            }
        let journal = hasJournal ? " (a journal beside it was not applied)" : ""
        return "\(database.rawValue): \(sentence)\(journal)"
    }
}
