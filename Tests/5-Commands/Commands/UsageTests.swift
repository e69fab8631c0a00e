import TestPeers
import Testing

/// What a user sees who mistypes.
struct UsageTests {
    @Test(arguments: [
        (["acount", "status"], "unknown command 'acount'. Did you mean 'account'?"),
        (["account", "chekc", "x"], "unknown command 'chekc'. Did you mean 'check'?"),
        (["jobs", "frobnicate"], "unknown command 'frobnicate'"),
        (
            ["status"],
            "unknown command 'status'. "
                + "Did you mean 'valise account status', 'valise migrate status', 'valise backup status', "
                + "'valise store status' or 'valise move status'?"
        ),
        (
            ["check"],
            "unknown command 'check'. Did you mean 'valise account check' or 'valise session check'?"
        ),
        (["archive", "restore"], "unknown command 'restore'. Did you mean 'valise archive import'?"),
        (["list"], "unknown command 'list'. Did you mean 'valise account find'?"),
        (["create"], "unknown command 'create'. Did you mean 'valise account create'?"),
        (["account", "delete", "box"], "unknown command 'delete'"),
        (["help", "archive", "exprot"], "unknown command 'exprot'. Did you mean 'export'?"),
        (
            ["help", "export"],
            "unknown command 'export'. Did you mean 'valise archive export', 'valise chat export' or 'valise media export'?"
        ),
        (["version"], "unknown command 'version'. Did you mean 'valise --version'?"),
        (
            ["account", "create", "x", "--passphrase", "y"],
            "unknown option '--passphrase'. Did you mean '--passphrase-file'? "
                + "Arguments are visible to other users."
        ),
        (
            ["account", "compact", "x", "--wait=5"],
            "the value '5' is invalid for '--wait'. Specify the duration as in '--wait=5m'."
        ),
        (
            ["account", "compact", "x", "--wait", "5m"],
            "unexpected argument '5m'. Specify the duration as in '--wait=5m'."
        ),
        (["--verison"], "unknown option '--verison'. Did you mean '--version'?"),
        (["account", "exprot", "x"], "unknown command 'exprot'. Did you mean 'valise archive export'?"),
        (["key", "change", "--weak"], "unknown option '--weak'. Did you mean '--allow-weak'?"),
        (["archive", "export", "--keep", "3"], "unknown option '--keep'. Did you mean '--keep-last'?"),
        (["key", "verify", "-p", "x"], "unknown option '-p'. Did you mean '--passphrase-file'?"),
        (["archive", "help", "improt"], "unknown command 'improt'. Did you mean 'import'?"),
        (
            ["key", "verify", "x", "--key-store", "nowhere"],
            "the value 'nowhere' is invalid for '--key-store <store>'. "
                + "Use kernel, file, secret-service or file:FOLDER."
        ),
        (
            ["account", "sql", "x", "SELECT 1", "--database", "other"],
            "the value 'other' is invalid for '--database <database>'. Use chat or agent."
        ),
        (["archive", "list", "x.zip", "--jsno"], "unknown option '--jsno'. Did you mean '--json'?"),
        (["file", "receive", "x", "--serve"], "unknown option '--serve'"),
        (["file", "receive", "x", "--wait"], "unknown option '--wait'"),
        (["jobs", "stop"], "unknown command 'stop'"),
        (["relay", "init"], "unknown command 'relay'. Relays are run by 'valise-relay'."),
        (["account", "create"], "missing expected argument '<dir>'"),
        (["archive", "export"], "missing expected argument '<archive>'"),
    ])
    func `the nearest word is proposed`(arguments: [String], message: String) throws {
        let outcome = try Program.run(Program.valise, arguments)
        let lines = outcome.errors.split(separator: "\n")
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(lines.first == "valise: \(message)", "\(outcome.errors)")
        #expect(lines.contains { $0.hasPrefix("Usage: valise") }, "\(outcome.errors)")
    }

    @Test(arguments: ["start", "status", "renew", "stop"])
    func `the usage is that of the command, whenever it finds what is wrong`(command: String) throws {
        let outcome = try Program.run(Program.relay, [command])
        let lines = outcome.errors.split(separator: "\n")
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(lines.first == "valise-relay: specify the relay folder with --folder", "\(outcome.errors)")
        #expect(lines.contains { $0.hasPrefix("Usage: valise-relay \(command) [") }, "\(outcome.errors)")
        #expect(
            lines.last == "  See 'valise-relay \(command) --help' for more information.", "\(outcome.errors)")
    }

    @Test(arguments: [
        (["--host", ","], "specify a host with --host\n"),
        (["--host", "a.example", "--files", "chunks"], "--files must be an absolute path\n"),
        (["--host", "a.example", "--quota", "1"], "a quota of 1 byte is too small"),
    ])
    func `what a new relay is not made of is said with its usage`(
        arguments: [String], message: String
    ) throws {
        let outcome = try Program.run(Program.relay, ["init", "--folder", "/nowhere"] + arguments)
        #expect(
            outcome.status == 64 && outcome.errors.hasPrefix("valise-relay: \(message)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("\nUsage: valise-relay init ["), "\(outcome.errors)")
    }

    @Test(arguments: [
        (["account", "status", ""], "an argument is empty."),
        (["account", "create", ""], "an argument is empty."),
        (["account", "sql", "x", ""], "an argument is empty."),
        (["file", "info", "a", ""], "an argument is empty."),
        (["archive", "export", "", "x.zip"], "an argument is empty."),
        (["account", "check", "--prefix", ""], "an argument after --prefix is empty."),
        (["move", "send", "x", "--to", ""], "an argument after --to is empty."),
    ])
    func `an empty argument is wrong usage`(arguments: [String], message: String) throws {
        let outcome = try Program.run(Program.valise, arguments)
        #expect(
            outcome.status == 64 && outcome.errors.hasPrefix("valise: \(message) Give it"),
            "\(outcome.errors)")
        #expect(
            outcome.errors.contains("\nUsage: valise \(arguments[0]) \(arguments[1]) "), "\(outcome.errors)")
    }

    @Test(arguments: [
        (
            ["media", "encrypt", "x", "--min-size", "2mb", "--max-size", "1mb"],
            "--min-size must not be greater"
        ),
        (["account", "create", "x", "--no-encryption", "--passphrase-file", "y"], "use only one of"),
        (["account", "create", "x", "--stored-key", "--passphrase-command", "y"], "use only one of"),
    ])
    func `what contradicts itself is wrong usage`(arguments: [String], message: String) throws {
        let outcome = try Program.run(Program.valise, arguments)
        #expect(outcome.status == 64 && outcome.errors.hasPrefix("valise: \(message)"), "\(outcome.errors)")
    }

    @Test func `the values of an option are those that its help has`() throws {
        let outcome = try Program.run(Program.relay, ["start", "--folder", "x", "--log-level", "loud"])
        let values = "debug, info, notice, warning"
        let message = "the value 'loud' is invalid for '--log-level <level>'. Use \(values) or error."
        #expect(outcome.errors.hasPrefix("valise-relay: \(message)\n"), "\(outcome.errors)")
        let help = try Program.run(Program.relay, ["start", "--help"]).output
        #expect(help.contains("\(values) or error.") && !help.contains("trace"), "\(help)")
        let keys = try Program.valise("key", "store", "--help").output
        #expect(keys.contains("file:FOLDER") && !keys.contains("(values:"), "\(keys)")
    }

    @Test func `an option whose value may be left out is shown so`() throws {
        for arguments in [["account", "compact", "--help"], ["help", "account", "compact"]] {
            let help = try Program.run(Program.valise, arguments).output
            #expect(help.contains("\n  --wait[=DURATION]       Wait while the account"), "\(help)")
        }
        let usage = try Program.valise("migrate", "confirm", "--nothing")
        #expect(usage.errors.contains(" [--wait[=DURATION]] "), "\(usage.errors)")
    }

    @Test func `the word help may follow the group`() throws {
        let help = try Program.valise("help", "archive", "import")
        #expect(try Program.valise("archive", "help", "import").output == help.output)
        #expect(try Program.valise("archive", "help").output == Program.valise("archive", "--help").output)
    }

    @Test(arguments: [[], ["--json"]])
    func `what migrate run cannot do is said on standard error`(options: [String]) throws {
        let outcome = try Program.run(
            Program.valise, ["migrate", "run", "x", "--confirm", "bogus"] + options)
        #expect(outcome.status == 64)
        #expect(outcome.output == (options.isEmpty ? "" : "{\"type\":\"invalidConfirmation\"}\n"))
        #expect(
            outcome.errors == "valise: --confirm must be yesUp, yesUpDown, error or console\n",
            "\(outcome.errors)")
    }

    @Test func `errors of the sample's program begin with its name`() throws {
        for arguments in [[], ["/nowhere/at/all", "--passphrase-file", "/nowhere/key"]] {
            let outcome = try Program.run(Program.sample, arguments)
            #expect(outcome.status != 0 && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("valise-sample: "), "\(outcome.errors)")
        }
    }

    @Test func `with --json it is an object, too`() throws {
        let outcome = try Program.run(Program.valise, ["account", "create", "--json"])
        #expect(outcome.status == 64)
        #expect(outcome.json?["code"] as? String == "invalid")
        #expect(outcome.json?["exitStatus"] as? Int == 64)
        #expect(
            outcome.json?["message"] as? String == "missing expected argument '<dir>'", "\(outcome.output)")
    }

    @Test func `help and version are no failures`() throws {
        for arguments in [
            ["--help"], ["help", "account"], ["account", "check", "--help"], ["--version"], [],
        ] {
            let outcome = try Program.run(Program.valise, arguments)
            #expect(outcome.status == 0 && outcome.errors.isEmpty && !outcome.output.isEmpty, "\(arguments)")
        }
    }
}
