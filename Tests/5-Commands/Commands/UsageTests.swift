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
                + "Did you mean 'valise account status' or 'valise migrate status' or 'valise move status'?"
        ),
        (["check"], "unknown command 'check'. Did you mean 'valise account check'?"),
        (["backup"], "unknown command 'backup'. Did you mean 'valise archive export'?"),
        (["archive", "restore"], "unknown command 'restore'. Did you mean 'valise archive import'?"),
        (["list"], "unknown command 'list'. Did you mean 'valise account find'?"),
        (["create"], "unknown command 'create'. Did you mean 'valise account create'?"),
        (["account", "delete", "box"], "unknown command 'delete'"),
        (["help", "archive", "exprot"], "unknown command 'exprot'. Did you mean 'export'?"),
        (
            ["help", "export"],
            "unknown command 'export'. Did you mean 'valise archive export' or 'valise media export'?"
        ),
        (["version"], "unknown command 'version'. Did you mean 'valise --version'?"),
        (
            ["account", "create", "x", "--passphrase", "y"],
            "unknown option '--passphrase'. Did you mean '--passphrase-file'? "
                + "Arguments are visible to other users."
        ),
        (["account", "compact", "x", "--wait=soon"], "the value 'soon' is invalid for '--wait'"),
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
        (["move", "send", "x", "--to="], "an argument after --to= is empty."),
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
