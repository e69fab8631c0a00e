import ArgumentParser
import Testing

@testable import ValiseCommands

/// `--dry-run`, `--yes` and `--no-input` mean the same for every command.
struct ConsentTests {
    /// What a command has of the three options.
    private struct Rule: Equatable {
        /// It changes something, and shows what without doing it.
        var plans = false
        /// It asks for consent.
        var asks = false

        static let reads = Rule()
        static let changes = Rule(plans: true)
        static let changesAfterQuestion = Rule(plans: true, asks: true)
    }

    private static let rules: [String: Rule] = [
        "account check": .reads, "account find": .reads, "account compact": .changes,
        "account create": .changesAfterQuestion,
        "account recover": .changes, "account salvage": .changes, "account sql": .reads,
        "account status": .reads,
        "backup diff": .reads, "backup list": .reads, "backup restore": .changesAfterQuestion,
        "backup show": .reads,
        "backup ping": .reads, "backup run": .changes, "backup schedule": .changes, "backup status": .reads,
        // It runs until it is stopped.
        "chat browse": .reads,
        "chat export": .changes, "chat list": .reads, "chat render": .changes, "chat search": .reads,
        "chat show": .reads, "chat stats": .reads,
        // It keeps a draft, or forgets one, where that is all that was asked for.
        "compose": .reads, "doctor": .reads, "schema": .reads,
        "archive diff": .reads, "archive export": .changesAfterQuestion, "archive extract": .changes,
        "archive import": .changesAfterQuestion, "archive list": .reads, "archive salvage": .changes,
        "archive verify": .reads,
        "backup init": .changes, "backup key add": .changes, "backup key list": .reads,
        // It names one key, and the password that was given goes on opening everything.
        "backup key remove": .changes, "backup password change": .changes,
        "backup drill": .reads, "backup forget": .changesAfterQuestion, "backup prune": .changesAfterQuestion,
        "backup repair": .changes, "backup verify": .reads,
        "file decrypt": .changes, "file delete": .changesAfterQuestion, "file encrypt": .changes,
        "file info": .reads,
        "file receive": .changesAfterQuestion, "file send": .changes, "file verify": .reads,
        "jobs cancel": .changes, "jobs list": .reads, "jobs resume": .changesAfterQuestion,
        "jobs retry": .changes, "jobs run": .changes, "jobs show": .reads, "jobs unit": .reads,
        "jobs watch": .reads,
        "key change": .changesAfterQuestion, "key forget": .changesAfterQuestion, "key generate": .changes,
        "key info": .reads, "key list": .reads, "key sheet": .changes, "key store": .changes,
        "key upgrade": .changes, "key verify": .reads,
        "media audit": .reads, "media decrypt": .changes, "media encrypt": .changes,
        "media export": .changes, "media plan": .reads, "media purge": .changesAfterQuestion,
        "migrate confirm": .changesAfterQuestion,
        "migrate plan": .reads, "migrate rollback": .changesAfterQuestion,
        "migrate run": .changesAfterQuestion, "migrate status": .reads,
        "move cancel": .changesAfterQuestion, "move finish": .changesAfterQuestion,
        "move forget": .changesAfterQuestion,
        "move link": .reads, "move receive": .changesAfterQuestion, "move remove": .changesAfterQuestion,
        "move restore": .changesAfterQuestion, "move send": .changesAfterQuestion, "move status": .reads,
        "relay block": .changesAfterQuestion, "relay delete": .changesAfterQuestion, "relay init": .changes,
        "relay check": .reads, "relay migrate": .changes, "relay reload": .changes, "relay renew": .changes,
        "relay repair": .changes,
        // It runs until it is stopped.
        "relay start": .reads,
        "relay status": .reads, "relay stop": .changes,
        // It runs until it is stopped.
        "mount": .reads,
        "session check": .reads, "session extract": .changes, "session info": .reads,
        "session merge": .changes, "session words": .reads,
        "session guard list": .reads, "session guard remove": .changesAfterQuestion,
        "session guard restore": .changesAfterQuestion, "session guard take": .changes,
        "store collect": .changesAfterQuestion, "store diff": .reads, "store get": .changes,
        "store list": .reads, "store pull": .changesAfterQuestion, "store push": .changesAfterQuestion,
        "store put": .changes, "store remove": .changesAfterQuestion, "store status": .reads,
        "store unlock": .reads, "store verify": .reads,
    ]

    private static let helps = [
        "--dry-run": "Show what would be done; change nothing.",
        "--yes": "Do not ask for confirmation.",
        "--no-input": "Never prompt; fail if input is needed.",
    ]

    /// The help of each command, by its name.
    private static let commands: [String: String] = {
        var commands: [String: String] = [:]
        func add(_ command: any ParsableCommand.Type, _ names: [String]) {
            let names = names + [command.configuration.commandName ?? ""]
            let parts = command.configuration.subcommands
            for part in parts { add(part, names) }
            guard parts.isEmpty else { return }
            commands[names.joined(separator: " ")] = ValiseCommand.helpMessage(for: command, columns: 300)
        }
        for group in ValiseCommand.configuration.subcommands { add(group, []) }
        for command in RelayCommand.configuration.subcommands {
            commands["relay \(command.configuration.commandName ?? "")"] = RelayCommand.helpMessage(
                for: command, columns: 300)
        }
        return commands
    }()

    /// The help of an option; nil where the command does not have it.
    private static func help(_ option: String, in text: String) -> String? {
        // A line of the discussion may begin with it too.
        text.split(separator: "\n").map { $0.drop { $0 == " " } }
            .last { $0.hasPrefix("\(option) ") }
            .map { String($0.dropFirst(option.count).drop { $0 == " " }) }
    }

    @Test func `the table has every command`() {
        #expect(Set(Self.commands.keys) == Set(Self.rules.keys))
    }

    @Test(arguments: rules.keys.sorted())
    func `a command has the options of its rule, each with its one meaning`(name: String) throws {
        let rule = try #require(Self.rules[name])
        let text = try #require(Self.commands[name])
        let found: [String: String] = Self.helps.keys.reduce(into: [:]) { $0[$1] = Self.help($1, in: text) }
        #expect((found["--dry-run"] != nil) == rule.plans)
        #expect((found["--yes"] != nil) == rule.asks)
        #expect(found["--no-input"] != nil, "whoever runs commands unattended gives it to all of them")
        for (option, help) in found { #expect(help == Self.helps[option], "\(option)") }
    }
}
