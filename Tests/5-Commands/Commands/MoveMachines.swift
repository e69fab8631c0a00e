import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// Two homes as two machines, an account on the old one, and an own relay between them.
struct MoveMachines {
    let folder: TemporaryFolder
    let relay: TestRelay
    let old: MoveMachine
    let new: MoveMachine

    /// - Parameter mediaBytes: of large media, so that a move takes a while.
    init(mediaBytes: Int = 0) throws {
        folder = try TemporaryFolder(inMemory: true)
        let key = folder.appending("passphrase")
        try FileSystem().replace(key, with: Array(AccountState.passphrase.utf8))
        relay = try TestRelay(folder.appending("relay"))
        old = try MoveMachine(folder.appending("old"), key)
        new = try MoveMachine(folder.appending("new"), key)
        try PreparedAccount.sample(
            at: old.account.string, "--messages", "60", "--media-bytes", "\(mediaBytes)")
    }

    var sending: [String] {
        ["move", "send", old.account.string, "--server", relay.address, "--yes", "--no-qr"] + old.passphrase
    }

    var receiving: [String] {
        ["move", "receive", "-", new.account.string, "--yes", "--approve-relays"] + new.passphrase
    }

    /// Sends, and gives what it printed.
    func send(_ more: String...) throws -> Program.Outcome {
        let sent = try old.run(sending + more)
        #expect(sent.status == 0, "\(sent.errors)")
        return sent
    }

    func receive(_ link: String) throws -> Program.Outcome {
        let received = try new.run(receiving, input: link)
        #expect(received.status == 0, "\(received.errors)")
        return received
    }

    /// Whether both machines have the same rows and the same files.
    func areEqual() throws -> Bool {
        let diff = try old.run(
            ["archive", "diff", old.account.string, new.account.string] + old.passphrase)
        #expect(diff.status == 0, "\(diff.output)\(diff.errors)")
        return diff.output.contains("A and B are the same account in the same state")
    }

    /// What `--json` of a command says, with its words.
    static func words(_ outcome: Program.Outcome) throws -> String {
        try #require(outcome.json?["words"] as? String, "\(outcome.output)\(outcome.errors)")
    }
}

/// A home of its own, with a place for an account.
struct MoveMachine {
    let home: FilePath
    private let key: FilePath

    init(_ home: FilePath, _ key: FilePath) throws {
        self.home = home
        self.key = key
        try FileSystem().makeDirectory(home)
    }

    var account: FilePath { home.appending("account") }
    var environment: [String: String] { ["HOME": home.string] }
    var passphrase: [String] { ["--passphrase-file", key.string] }

    func run(_ arguments: [String], input: String? = nil, killAfter: Duration? = nil) throws
        -> Program.Outcome
    {
        try Program.run(
            Program.valise, arguments, environment: environment, input: input, killAfter: killAfter)
    }

    /// Whether something of this name is in the account's folder.
    func has(_ name: String) throws -> Bool { try FileSystem().exists(account.appending(name)) }

    /// The records of `move status --json`.
    func moves() throws -> [[String: Any]] {
        let outcome = try run(["move", "status", "--json"])
        let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect(document?["type"] as? String == "moves")
        return document?["moves"] as? [[String: Any]] ?? []
    }
}

extension Program.Outcome {
    /// The words that it shows, as they are typed.
    var words: String {
        let line = /^  [15] ([a-z]+) +[26] ([a-z]+) +[37] ([a-z]+) +[48] ([a-z]+) *$/
        return (output + errors).split(separator: "\n").compactMap { $0.wholeMatch(of: line)?.output }
            .flatMap { [$0.1, $0.2, $0.3, $0.4] }.prefix(8).joined(separator: " ")
    }

    var json: [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any]
    }
}
