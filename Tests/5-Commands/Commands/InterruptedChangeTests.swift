import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFiles

/// What `valise jobs run` says of a change of an account that was killed: rolled back where it was not decided, completed
/// where it was.
@Suite(.enabled(if: Faultline.library != nil))
struct InterruptedChangeTests {
    private let folder: TemporaryFolder
    private var root: FilePath { folder.appending("root") }
    private var template: FilePath { folder.appending("template") }
    private var key: FilePath { folder.appending("key") }
    private var account: String { root.appending("account").string }
    private let fileSystem = FileSystem()

    init() throws {
        folder = try TemporaryFolder("valise-change", inMemory: true)
        try fileSystem.replace(key, with: Array(AccountState.passphrase.utf8))
    }

    private var environment: [String: String] {
        ["HOME": folder.path.string, "XDG_STATE_HOME": folder.appending("state").string]
    }

    private func valise(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(Program.valise, arguments, environment: environment)
    }

    private func json(_ text: some StringProtocol) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    private func renew() throws {
        for name in ["root", "save", "state"] { try fileSystem.removeTree(folder.appending(name)) }
        try TemporaryFolder.copyTree(template, to: root)
        try fileSystem.makeDirectory(folder.appending("save"))
    }

    private func state() throws -> AccountState {
        try #require(try AccountState(of: AccountLocation(directory: FilePath(account))))
    }

    /// A few moments of the whole, a third of the end (all with `VALISE_SOAK`), and its last ones, where it is decided and
    /// done.
    private func prepare(_ operation: CrashOperation) throws -> [Int] {
        try fileSystem.makeDirectory(root)
        try operation.prepare(root, key: key, mediaBytes: nil)
        try TemporaryFolder.copyTree(root, to: template)
        let (outcome, count) = try Faultline.count(
            operation.arguments(root, key: key), root: root, report: folder.appending("report"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let (end, last) = (max(1, count - 24), max(1, count - 8))
        let middle = stride(from: end - 1 + FaultSweep.first(step: 3), to: last, by: FaultSweep.step(3))
        return Array(stride(from: 1, to: end, by: max(1, end / (FaultSweep.isIntact ? 6 : 3))))
            + Array(middle)
            + Array(last...count)
    }

    private func kill(_ operation: CrashOperation, at number: Int) throws {
        try renew()
        let killed = try Faultline.run(
            operation.arguments(root, key: key), .kill, at: number, root: root,
            save: folder.appending("save"),
            environment: environment)
        #expect(killed.signal == SIGKILL, "\(killed.errors)")
    }

    @Test(arguments: [CrashOperation.rekey, .decrypt, .compact, .migrate])
    func `a killed change is called what became of it`(_ operation: CrashOperation) throws {
        let points = try prepare(operation)
        let before = try template(state)
        var (rolledBack, completed) = (0, 0)
        for (index, number) in points.enumerated() {
            try kill(operation, at: number)
            let comment: Comment = "\(operation) killed at \(number)"
            // What another command does about it must not change what the job says.
            if index % 3 == 0 {
                let recovered = try Program.run(
                    Program.valise, ["account", "recover", account],
                    environment: environment.merging(["VALISE_NO_JOBS": "1"]) { $1 })
                #expect(recovered.status == 0, "\(comment): \(recovered.errors)")
            }
            let isJSON = index % 2 == 0
            let run = try isJSON ? valise("jobs", "run", "--json") : valise("jobs", "run")
            #expect(run.status == 0, "\(comment): \(run.errors)")
            let isNew = try state() != before
            if isNew { completed += 1 } else { rolledBack += 1 }
            if isJSON {
                try checkJSON(run.output, operation, isNew, comment)
            } else {
                checkText(run, operation, isNew, comment)
            }
            let shown = try valise("jobs", "show", "1").output
            #expect(shown.contains(isNew ? "completed" : "rolled back"), "\(comment): \(shown)")
        }
        #expect(rolledBack > 0 && completed > 0)
    }

    private func template<Value>(_ body: () throws -> Value) throws -> Value {
        try renew()
        return try body()
    }

    private func checkText(
        _ run: Program.Outcome, _ operation: CrashOperation, _ isNew: Bool, _ comment: Comment
    ) {
        #expect(!run.output.contains("is done"), "\(comment): \(run.output)")
        #expect(run.output.contains(") was completed\n") == isNew, "\(comment): \(run.output)")
        #expect(run.output.contains(") was rolled back\n") == !isNew, "\(comment): \(run.output)")
        #expect(run.errors.contains(isNew ? "1 done" : "1 rolled back"), "\(comment): \(run.errors)")
        let sentence: String? =
            switch (operation, isNew) {
            case (.rekey, true): "the new passphrase opens the account"
            case (.decrypt, true): "the account is not encrypted; it needs no passphrase"
            case (.rekey, false), (.decrypt, false): "the previous passphrase opens the account"
            default: nil
            }
        if let sentence { #expect(run.output.contains(sentence), "\(comment): \(run.output)") }
        #expect(run.output.contains("passphrase opens") || operation != .rekey, "\(comment): \(run.output)")
    }

    private func checkJSON(_ output: String, _ operation: CrashOperation, _ isNew: Bool, _ comment: Comment)
        throws
    {
        let lines = try output.split(separator: "\n").map { try json($0) }
        let ended = try #require(lines.first { $0["event"] as? String == "ended" }, comment)
        let job = try #require(ended["job"] as? [String: Any])
        #expect(job["outcome"] as? String == (isNew ? "completed" : "rolledBack"), "\(comment): \(job)")
        let result = try #require(job["result"] as? [String: Any])
        #expect(result["outcome"] as? String == (isNew ? "completed" : "rolledBack"), "\(comment): \(result)")
        let passphrase: String? =
            switch operation {
            case .rekey: isNew ? "new" : "previous"
            case .decrypt: isNew ? "notNeeded" : "previous"
            default: nil
            }
        #expect(result["passphrase"] as? String == passphrase, "\(comment): \(result)")
        #expect(lines.last?["rolledBack"] as? Int == (isNew ? 0 : 1), "\(comment): \(lines)")
        #expect(lines.last?["done"] as? Int == (isNew ? 1 : 0), "\(comment): \(lines)")
    }

    @Test func `resuming such a job alone says the same`() throws {
        let points = try prepare(.rekey)
        try kill(.rekey, at: points[2])
        let resumed = try json(valise("jobs", "resume", "1", "--json", "--no-input").output)
        #expect(resumed["type"] as? String == "jobRolledBack")
        #expect(resumed["outcome"] as? String == "rolledBack")
        #expect(try valise("account", "check", account, "--passphrase-file", key.string).status == 0)
    }

    @Test func `a recovery of the account closes such a job`() throws {
        let points = try prepare(.rekey)
        for isFolded in [false, true] {
            try kill(.rekey, at: points[2])
            if isFolded {
                // Nothing is left to recover then, but for the job.
                let folded = try Program.run(
                    Program.valise, ["account", "recover", account], environment: ["VALISE_NO_JOBS": "1"])
                #expect(folded.status == 0, "\(folded.errors)")
            }
            let planned = try valise("account", "recover", account, "--dry-run").output
            #expect(!isFolded || planned.contains("close: passphrase change"), "\(planned)")
            let recovered = try valise("account", "recover", account)
            #expect(recovered.status == 0, "\(recovered.errors)")
            #expect(
                recovered.output.contains("the previous passphrase opens the account"), "\(recovered.output)")
            #expect(try valise("jobs", "list").output.contains("no unfinished jobs"))
        }
    }

    @Test func `a file that somebody put in the place of a killed export is not called the archive`() throws {
        try fileSystem.makeDirectory(root)
        try CrashOperation.export.prepare(root, key: key, mediaBytes: nil)
        try TemporaryFolder.copyTree(root, to: template)
        try kill(.export, at: 3)
        let archive = root.appending("out.zip")
        try fileSystem.replace(archive, with: Array("a letter".utf8))
        let run = try valise("jobs", "run")
        #expect(run.status == 3 && run.output.isEmpty, "\(run.output)\(run.errors)")
        #expect(run.errors.contains("failed") && run.errors.contains("out.zip"), "\(run.errors)")
        #expect(try fileSystem.contents(of: archive, limit: 100) == Array("a letter".utf8))
    }
}
