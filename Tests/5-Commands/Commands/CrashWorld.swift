import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFiles

/// An operation with what it starts from and what it leads to, to be crashed again and again on fresh copies.
final class CrashWorld {
    let operation: CrashOperation
    /// How many file operations the operation has.
    let operations: Int
    /// How long it takes.
    let duration: Duration
    private let folder: TemporaryFolder
    private let template: FilePath
    private let root: FilePath
    private let save: FilePath
    private let key: FilePath
    private let before: AccountState?
    private let after: AccountState?
    private let entries: [Substring]
    private let fileSystem = FileSystem()

    /// How a killed run ended.
    struct Ending {
        let isNew: Bool
        /// Whether the process had not changed anything yet.
        let isUntouched: Bool
    }

    init(_ operation: CrashOperation, mediaBytes: Int? = nil) throws {
        self.operation = operation
        folder = try TemporaryFolder("valise-crash")
        template = folder.appending("template")
        root = folder.appending("root")
        save = folder.appending("save")
        key = folder.appending("key")
        try fileSystem.replace(key, with: Array(AccountState.passphrase.utf8))
        // The state holds paths, so it is prepared where it will be.
        try fileSystem.makeDirectory(root)
        try operation.prepare(root, key: key, mediaBytes: mediaBytes)
        try TemporaryFolder.copyTree(root, to: template)
        let location = AccountLocation(directory: root.appending("account"))
        before = operation == .foldingExport ? nil : try AccountState(of: location)
        let start = ContinuousClock.now
        let (outcome, count) = try Faultline.count(
            operation.arguments(root, key: key), root: root, report: folder.appending("report"))
        duration = ContinuousClock.now - start
        operations = count
        #expect(outcome.status == 0, "\(operation): \(outcome.errors)")
        after = operation == .foldingExport ? nil : try AccountState(of: location)
        entries = operation.exports ? try Self.entries(root.appending("out.zip")) : []
        #expect(operation.exports ? entries.count == 5 || mediaBytes != nil : before != after)
    }

    /// What an archive holds; the last line tells its own size.
    private static func entries(_ archive: FilePath) throws -> [Substring] {
        try Program.valise("archive", "list", archive.string).output.split(separator: "\n").dropLast()
    }

    private func renew() throws {
        try fileSystem.removeTree(root)
        try fileSystem.removeTree(save)
        try TemporaryFolder.copyTree(template, to: root)
        try fileSystem.makeDirectory(save)
    }

    // MARK: Running

    /// Crashes the operation at an operation and checks everything afterwards.
    /// - Returns: whether the new state is there, instead of the old one.
    func crash(_ fault: Faultline.Fault, at number: Int, runsAgain: Bool) throws -> Bool {
        try renew()
        let outcome = try Faultline.run(
            operation.arguments(root, key: key), fault, at: number, root: root, save: save)
        let comment: Comment = "\(operation), \(fault) at \(number) of \(operations): \(outcome.errors)"
        if fault.goesOn {
            checkFailure(outcome, fault, comment)
        } else {
            #expect(outcome.signal == 9 || outcome.status == 0, comment)
        }
        return try checkAll(outcome, comment, runsAgain: runsAgain)
    }

    /// Kills the operation after a while and checks everything afterwards.
    func kill(after delay: Duration) throws -> Ending {
        try renew()
        let outcome = try Program.run(Program.valise, operation.arguments(root, key: key), killAfter: delay)
        let comment: Comment = "\(operation), killed after \(delay): \(outcome.errors)"
        #expect(outcome.signal == 9 || outcome.status == 0, comment)
        let isUntouched = try TemporaryFolder.contents(of: root) == TemporaryFolder.contents(of: template)
        return Ending(
            isNew: try checkAll(outcome, comment, runsAgain: true), isUntouched: isUntouched)
    }

    private func checkFailure(_ outcome: Program.Outcome, _ fault: Faultline.Fault, _ comment: Comment) {
        #expect(outcome.signal == nil, comment)
        #expect((fault == .noSpace ? [0, 1, 15] : [0, 1]).contains(outcome.status), comment)
        guard outcome.status != 0 else { return }
        #expect(outcome.errors.hasPrefix("valise: ") && !outcome.errors.contains("Fatal"), comment)
        // One line, and what to do about it on others.
        #expect(outcome.errors.split(separator: "\n").count { !$0.hasPrefix("hint: ") } == 1, comment)
    }

    // MARK: Checking

    /// - Returns: whether the new state is there.
    private func checkAll(
        _ outcome: Program.Outcome, _ comment: Comment, runsAgain: Bool
    ) throws -> Bool {
        let isAbsent = try !operation.exports && recover(comment)
        let isNew = try operation.exports ? checkArchive(comment) : checkAccount(comment)
        if outcome.status == 0 { #expect(isNew, comment) }
        if !isAbsent && !operation.exports { #expect(try AccountState.leftovers(in: root) == [], comment) }
        if !isNew, runsAgain || isAbsent || operation.exports { try runAgain(comment) }
        return isNew
    }

    /// - Returns: whether there is no account; only the same command again cleans up then.
    private func recover(_ comment: Comment) throws -> Bool {
        let account = root.appending("account").string
        let status = try Program.valise("account", "status", account, "--json")
        let recovery = try Program.valise("account", "recover", account)
        let isAbsent = recovery.status == 10 && before == nil
        #expect(status.status == 0 || (status.status == 10 && isAbsent), "\(comment) \(status.errors)")
        #expect(recovery.status == 0 || isAbsent, "\(comment) \(recovery.errors)")
        return isAbsent
    }

    private func checkAccount(_ comment: Comment) throws -> Bool {
        let state = try AccountState(of: AccountLocation(directory: root.appending("account")))
        let (isOld, isNew) = (state == before, state == after)
        if !isOld && !isNew {
            Issue.record("\(comment) neither old nor new: \(state?.summary ?? "no account")")
        }
        return isNew
    }

    /// The archive is the previous one or a complete one, and the account is what it was.
    private func checkArchive(_ comment: Comment) throws -> Bool {
        let archive = root.appending("out.zip")
        let account = try TemporaryFolder.contents(of: root.appending("account"))
        #expect(try account == TemporaryFolder.contents(of: template.appending("account")), comment)
        let isThere = try fileSystem.exists(archive)
        if operation == .replacingExport {
            try #require(isThere, comment)
            if try fileSystem.contents(of: archive, limit: 1 << 30) == CrashOperation.previous {
                return false
            }
        }
        guard isThere else { return false }
        if let unzip = Program.tool("unzip") {
            let test = try Program.run(unzip, ["-tqq", archive.string])
            #expect(test.status == 0, "\(comment) \(test.output)")
        }
        #expect(try Self.entries(archive) == entries, comment)
        return true
    }

    /// The same command again does what the first run did not.
    private func runAgain(_ comment: Comment) throws {
        let outcome = try Program.run(Program.valise, operation.arguments(root, key: key))
        #expect(outcome.status == 0, "\(comment), again: \(outcome.errors)")
        #expect(try operation.exports ? checkArchive(comment) : checkAccount(comment), comment)
        #expect(try AccountState.leftovers(in: root) == [], "\(comment), again")
    }
}
