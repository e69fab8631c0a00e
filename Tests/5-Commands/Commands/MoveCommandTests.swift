import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// `valise move` from one home to another over an own relay, with the built programs.
struct MoveCommandTests {
    private let machines: MoveMachines
    private var old: MoveMachine { machines.old }
    private var new: MoveMachine { machines.new }

    init() throws { machines = try MoveMachines() }

    private func finish(_ words: String, _ more: String...) throws -> Program.Outcome {
        try old.run(["move", "finish", old.account.string, "--words", words] + more)
    }

    @Test func `an account moves, and the old one is out of use`() throws {
        let sent = try machines.send()
        let link = sent.output.trimmingCharacters(in: .newlines)
        #expect(link.hasPrefix("simplex:/file#/?desc=") && !link.contains("\n") && link.utf8.count <= 1002)
        #expect(
            sent.errors.contains(/They delete it in 4[78] h/)
                && sent.words.split(separator: " ").count == 8)
        #expect(
            sent.errors.contains("anyone with this link") && sent.errors.contains("do not start this account")
        )
        // What must not be in a log.
        #expect(!sent.errors.contains("desc=") && !sent.errors.contains(AccountState.passphrase))
        let received = try machines.receive(link)
        #expect(received.words == sent.words && !received.errors.contains("desc="), "\(received.output)")
        #expect(received.output.hasPrefix("the account is in \(new.account): "), "\(received.output)")
        #expect(try machines.areEqual())
        let finished = try finish(received.words)
        #expect(finished.status == 0, "\(finished.errors)")
        #expect(finished.output.contains("no chunks left"))
        #expect(try machines.relay.chunkCount() == 0)
        #expect(try !old.has("simplex_v1_chat.db") && old.has("simplex_v1_chat.db.moved"))
        let opened = try old.run(["account", "check", old.account.string] + old.passphrase)
        #expect(opened.status == 14 && opened.errors.contains("moved to another machine"), "\(opened.errors)")
        let again = try old.run(machines.sending)
        #expect(again.status == 14 && again.errors.contains("valise move restore"), "\(again.errors)")
    }

    @Test func `the same command shows the link again, and says once what must not be done with it`() throws {
        let sent = try machines.send()
        let again = try machines.send()
        #expect(again.output == sent.output && again.words == sent.words)
        #expect(again.errors.contains(/They delete it in 4[78] h/) && !again.errors.contains("warning"))
        let shown = try old.run(["move", "link", old.account.string, "--no-qr"])
        #expect(shown.output == sent.output && shown.words == sent.words, "\(shown.errors)")
        let renewed = try machines.send("--renew")
        #expect(renewed.output != sent.output && renewed.words == sent.words)
        let previous = try new.run(machines.receiving, input: sent.output)
        #expect(previous.status == 16, "\(previous.status) \(previous.errors)")
        #expect(try machines.receive(renewed.output).words == sent.words)
    }

    @Test func `other words change nothing`() throws {
        let sent = try machines.send()
        let list = sent.words.split(separator: " ").map(String.init)
        let other = (list.dropFirst() + list.prefix(1)).joined(separator: " ")
        let wrong = try finish(other)
        #expect(wrong.status == 1 && wrong.errors.contains("Nothing was changed"), "\(wrong.errors)")
        let typo = try finish("hello world")
        #expect(typo.status == 64 && typo.errors.contains("hello"), "\(typo.errors)")
        let silent = try old.run(["move", "finish", old.account.string, "--no-input"])
        #expect(silent.status == 64 && silent.errors.contains("--words"), "\(silent.errors)")
        #expect(try old.has("simplex_v1_chat.db") && machines.relay.chunkCount() != 0)
        #expect(try finish(sent.words.uppercased(), "--unconfirmed").status == 0)
    }

    @Test func `an account that nobody received is not retired by the words of this machine alone`() throws {
        let sent = try machines.send()
        let refused = try finish(sent.words)
        #expect(refused.status == 64 && refused.errors.contains("still on the relays"), "\(refused.errors)")
        #expect(refused.errors.contains("--unconfirmed"), "\(refused.errors)")
        let removing = try finish(sent.words, "--remove", "--yes", "--unconfirmed")
        #expect(removing.status == 64 && removing.errors.contains("only be retired"), "\(removing.errors)")
        #expect(try old.has("simplex_v1_chat.db") && machines.relay.chunkCount() != 0)
        // Received, and not confirmed yet.
        let kept = try new.run(machines.receiving + ["--keep-on-relays"], input: sent.output)
        #expect(try finish(kept.words).status == 64)
        machines.relay.stop()
        let unasked = try finish(sent.words)
        #expect(unasked.status == 1 && unasked.errors.contains("cannot be asked"), "\(unasked.errors)")
        let accepted = try finish(sent.words, "--unconfirmed")
        #expect(accepted.status == 0, "\(accepted.errors)")
    }

    @Test func `who finishes without receipt is told that nobody had the chunks, and what to enter`() throws {
        let sent = try machines.send()
        #expect(sent.errors.contains("Do not enter these"), "\(sent.errors)")
        let finished = try finish(sent.words, "--unconfirmed")
        #expect(
            finished.status == 0 && finished.errors.contains("no machine has confirmed"), "\(finished.errors)"
        )
    }

    @Test func `a dry run of the end compares the words, and an ID is told from a folder`() throws {
        let sent = try machines.send()
        let list = sent.words.split(separator: " ").map(String.init)
        let other = (list.dropFirst() + list.prefix(1)).joined(separator: " ")
        let wrong = try finish(other, "--dry-run")
        #expect(wrong.status == 1 && wrong.errors.contains("do not match"), "\(wrong.errors)")
        #expect(wrong.errors.contains("\nhint: compare the words again"), "\(wrong.errors)")
        let steps = [
            "would compare the given words", "would delete the upload from the relays",
            "would retire the account in \(old.account)", "dry run: nothing was changed", "",
        ]
        let planned = try finish(sent.words, "--dry-run")
        #expect(planned.status == 0 && planned.output == steps.joined(separator: "\n"), "\(planned.errors)")
        let removing = try finish(sent.words, "--remove", "--dry-run", "--json")
        #expect(
            removing.json?["changes"] as? [String] == [
                "compare the given words", "delete the upload from the relays",
                "remove the account in \(old.account)",
            ], "\(removing.output)")
        let id = try #require(try old.moves().first?["id"] as? String)
        let operations = [
            ["finish", id, "--words", sent.words], ["link", id], ["receive", id], ["remove", id, "--yes"],
        ]
        for operation in operations {
            let outcome = try old.run(["move"] + operation)
            #expect(
                outcome.status == 10 && outcome.errors.contains("the ID of a move")
                    && outcome.errors.contains("name its folder instead: \(old.account)"),
                "\(outcome.errors)")
        }
    }

    @Test func `the ID of a move is recognized where an account is sent`() throws {
        _ = try machines.send()
        let id = try #require(try old.moves().first?["id"] as? String)
        let refused = try old.run(["move", "send", id])
        #expect(refused.status == 10 && refused.errors.contains("the ID of a move"), "\(refused.errors)")
        for command in ["valise move send \(old.account)\n", "valise move status \(id)\n"] {
            #expect(refused.errors.contains("run: \(command)"), "\(refused.errors)")
        }
        let shown = try old.run(["move", "status", id])
        #expect(shown.status == 0 && shown.output.hasPrefix("\(id)  "), "\(shown.output)")
        let unknown = try old.run(["move", "send", "abcdefghij"])
        #expect(unknown.status == 10 && unknown.errors.contains("neither a folder nor"), "\(unknown.errors)")
        let folder = try old.run(["move", "send", "laptop"])
        #expect(folder.status == 10 && folder.errors.contains("no such folder"), "\(folder.errors)")
    }

    @Test func `who cancels a move that was received has to agree, and is warned`() throws {
        let sent = try machines.send()
        _ = try machines.receive(sent.output)
        let cancelling = ["move", "cancel", old.account.string]
        let unasked = try old.run(cancelling + ["--no-input"])
        #expect(unasked.status == 64 && unasked.errors.contains("may have received"), "\(unasked.errors)")
        #expect(unasked.errors.contains("hint: to confirm, add --yes"), "\(unasked.errors)")
        #expect(try old.moves().first?["state"] as? String == "linkShown")
        let cancelled = try old.run(cancelling + ["--yes"])
        #expect(
            cancelled.status == 0 && cancelled.errors.contains("may have received"), "\(cancelled.errors)")
    }

    @Test func `a cancelled move leaves nothing on the relay, and the account as it was`() throws {
        let sent = try machines.send()
        let cancelled = try old.run(["move", "cancel", old.account.string])
        #expect(cancelled.status == 0 && cancelled.output.contains("is unchanged"), "\(cancelled.errors)")
        #expect(try machines.relay.chunkCount() == 0)
        #expect(try old.moves().isEmpty && old.has("simplex_v1_chat.db"))
        let received = try new.run(machines.receiving, input: sent.output)
        #expect(received.status == 16, "\(received.errors)")
        let id = try #require(try new.moves().first?["id"] as? String)
        let given = try new.run(["move", "cancel", id, "--json"])
        #expect(given.json?["type"] as? String == "moveCancelled", "\(given.errors)")
        #expect(try new.moves().isEmpty)
        #expect(try old.run(["move", "cancel", old.account.string]).status == 10)
    }

    /// Writes the record of a move that a run has left in the middle.
    private func leave(_ move: String) throws {
        let record = """
            {"header":{"version":1,"id":"abcdefghij","side":"sending","account":{"directory":"\(old.account)",\
            "prefix":"simplex_v1","style":"desktop"},"created":1,"changed":2},"move":{"isConfirmed":true,\
            "generation":1,"formerGenerations":[],"archiveErrors":[],\(move)}}
            """
        let place = old.home.pushing(".local/state/valise/moves/abcdefghij")
        try FileSystem().makeDirectories(place)
        try FileSystem().replace(place.appending("move.json"), with: Array(record.utf8))
    }

    @Test func `the next step of a move names its archive, and cancelling it speaks of no link`() throws {
        let archive = machines.folder.appending("a stick.zip")
        try leave(
            #""state":{"type":"archiving"},"isPacked":true,"destination":{"file":{"path":"\#(archive)"}}"#)
        let status = try old.run(["move", "status"])
        let next = "next: valise move send \(old.account) --to '\(archive)' --pack\n"
        #expect(status.output.contains(next), "\(status.output)")
        let refused = try old.run(["move", "link", old.account.string])
        #expect(refused.errors.contains("valise move status \(old.account)"), "\(refused.errors)")
        let cancelled = try old.run(["move", "cancel", old.account.string])
        #expect(
            cancelled.output == "move cancelled; the account in \(old.account) is unchanged\n",
            "\(cancelled.output)\(cancelled.errors)")
    }

    @Test func `a move is resumed over the relays in its record`() throws {
        try leave(
            #""state":{"type":"uploadFailed","reason":"gone"},"destination":{"relays":{}},"#
                + #""relays":{"addresses":["\#(machines.relay.address)"]}"#)
        let status = try old.run(["move", "status"])
        #expect(status.output.contains("next: valise move send \(old.account)\n"), "\(status.output)")
        let sent = try old.run(["move", "send", old.account.string, "--no-qr"] + old.passphrase)
        #expect(sent.status == 0 && sent.output.hasPrefix("simplex:/file"), "\(sent.errors)")
        // A new link goes over the same relays.
        let renewed = try old.run(
            ["move", "send", old.account.string, "--no-qr", "--renew"] + old.passphrase)
        #expect(renewed.status == 0 && renewed.output != sent.output, "\(renewed.errors)")
    }

    @Test func `an archive that does not fit is refused before anything is asked or begun`() throws {
        let sending = ["move", "send", old.account.string, "--to", machines.folder.appending("a.zip").string]
        var environment = old.environment
        environment["LD_PRELOAD"] = try #require(Preload.compile("smalldisk"))
        environment["SMALLDISK_FREE"] = "1000000"
        for more in [[], ["--dry-run"]] {
            let refused = try Program.atTerminal(sending + more, environment: environment)
            #expect(refused.status == 15, "\(refused.output)")
            #expect(refused.output.contains("not enough free space: up to"), "\(refused.output)")
            #expect(refused.output.contains("hint: free space on the file system of"), "\(refused.output)")
            #expect(!refused.output.contains("Passphrase"), "\(refused.output)")
        }
        #expect(try old.moves().isEmpty)
        let planned = try old.run(sending + ["--dry-run"] + old.passphrase)
        #expect(planned.output.contains(/\n  space +[0-9.]+ .?B free\n/), "\(planned.output)")
    }

    @Test func `an archive carries an account too`() throws {
        let archive = machines.folder.appending("stick.zip").string
        let sending = ["move", "send", old.account.string, "--to", archive, "--yes"] + old.passphrase
        let sent = try old.run(sending)
        #expect(sent.status == 0 && sent.output == "\(archive)\n", "\(sent.errors)")
        #expect(try old.run(sending).output == sent.output)
        let unasked = try new.run(
            ["move", "receive", archive, new.account.string, "--no-input"] + new.passphrase)
        #expect(unasked.status == 64 && unasked.errors.contains("--yes"), "\(unasked.errors)")
        #expect(try new.moves().isEmpty && !new.has("simplex_v1_chat.db"))
        let received = try new.run(
            ["move", "receive", archive, new.account.string, "--yes"] + new.passphrase)
        #expect(received.status == 0 && received.words == sent.words, "\(received.errors)")
        #expect(!received.output.contains("upload"), "\(received.output)")
        #expect(try machines.areEqual())
        let finishing = ["move", "finish", old.account.string, "--words", received.words, "--remove"]
        let planned = try old.run(finishing + ["--dry-run"])
        #expect(planned.status == 0 && !planned.output.contains("upload"), "\(planned.output)")
        let finished = try old.run(finishing + ["--yes"])
        #expect(
            finished.status == 0 && finished.output.contains("\(archive) still exists"),
            "\(finished.errors)")
        #expect(finished.errors.contains("receipt of an archive cannot be checked"), "\(finished.errors)")
        #expect(try !old.has("simplex_v1_chat.db.moved"))
    }

    @Test func `each command has one JSON document`() throws {
        let config = ["--network-config", #"{"hostMode":"onionHost"}"#]
        let plan = try old.run(machines.sending + config + ["--dry-run", "--json"])
        #expect((plan.json?["networkConfig"] as? [String: Any])?["hostMode"] as? String == "onionHost")
        #expect(plan.json?["type"] as? String == "movePlan" && plan.json?["chunks"] is Int, "\(plan.errors)")
        #expect(try machines.relay.chunkCount() == 0)
        let sent = try old.run(machines.sending + ["--json", "--quiet"])
        #expect(sent.json?["type"] as? String == "accountSent")
        #expect(sent.errors.split(separator: "\n").allSatisfy { $0.contains("warning") }, "\(sent.errors)")
        let words = try MoveMachines.words(sent)
        let link = try #require((sent.json?["links"] as? [String])?.first)
        #expect(try old.moves().first?["state"] as? String == "linkShown")
        #expect(try old.moves().first?["words"] as? String == words)
        let status = try old.run(["account", "status", old.account.string, "--json"])
        let id = try #require(try old.moves().first?["id"] as? String)
        #expect(status.json?["move"] as? String == id, "\(status.output)")
        let text = try old.run(["account", "status", old.account.string])
        #expect(text.output.contains("run: valise move status \(old.account)"), "\(text.output)")
        let received = try new.run(machines.receiving + ["--json"], input: link)
        #expect(received.json?["type"] as? String == "accountReceived", "\(received.errors)")
        #expect(try MoveMachines.words(received) == words)
        let finished = try old.run(["move", "finish", old.account.string, "--words", words, "--json"])
        #expect(
            finished.json?["type"] as? String == "moveFinished"
                && finished.json?["source"] as? String == "retired")
        let failed = try old.run(["move", "finish", old.account.string, "--words", words, "--json"])
        #expect(failed.status == 1 && failed.json?["type"] as? String == "error", "\(failed.output)")
    }

    @Test func `a retired account comes back, or goes for good`() throws {
        let sent = try machines.send()
        #expect(try finish(sent.words, "--unconfirmed").status == 0)
        let asked = try old.run(["move", "restore", old.account.string, "--no-input"])
        #expect(asked.status == 64 && asked.errors.contains("--yes"), "\(asked.errors)")
        let restored = try old.run(["move", "restore", old.account.string, "--yes"])
        #expect(restored.status == 0 && restored.errors.contains("cannot be decrypted"), "\(restored.errors)")
        #expect(try old.run(["key", "verify", old.account.string] + old.passphrase).status == 0)
        // Nothing says any more that it is out of use.
        #expect(try old.moves().isEmpty)
        #expect(try old.run(["move", "remove", old.account.string, "--yes"]).status == 10)
        let second = try machines.send()
        #expect(try finish(second.words, "--unconfirmed").status == 0)
        let removed = try old.run(["move", "remove", old.account.string, "--yes", "--json"])
        #expect(removed.status == 0 && removed.json?["type"] as? String == "moveRemoved", "\(removed.errors)")
        #expect(try !old.has("simplex_v1_chat.db.moved") && !old.has("simplex_v1.valise-moved"))
        let id = try #require(try old.moves().first?["id"] as? String)
        let kept = try Program.atTerminal(
            ["move", "forget", id], answers: ["n"], environment: old.environment)
        #expect(kept.status == 1 && kept.output.contains("Permanently remove the record"), "\(kept.output)")
        #expect(try !old.moves().isEmpty)
        let missing = try Program.atTerminal(["move", "forget", "nothing"], environment: old.environment)
        #expect(missing.status == 10 && !missing.output.contains("(y/N)"), "\(missing.output)")
        #expect(try old.run(["move", "forget", id]).status == 0)
        #expect(try old.moves().isEmpty)
    }

    @Test func `an unfinished move is not forgotten, and nobody is asked`() throws {
        _ = try machines.send()
        let id = try #require(try old.moves().first?["id"] as? String)
        for arguments in [["move", "forget", id], ["move", "forget", id, "--dry-run"]] {
            let refused = try Program.atTerminal(arguments, environment: old.environment)
            #expect(
                refused.status == 1 && refused.output.contains("not finished")
                    && !refused.output.contains("(y/N)"), "\(refused.output)")
        }
        #expect(try old.moves().count == 1)
    }

    @Test func `what cannot be is said before anything is sent or received`() throws {
        let unasked = try old.run(machines.sending.filter { $0 != "--yes" } + ["--no-input"])
        #expect(unasked.status == 64 && unasked.errors.contains("--yes"), "\(unasked.errors)")
        #expect(try old.moves().isEmpty)
        let wrong = machines.folder.appending("wrong")
        try FileSystem().replace(wrong, with: Array(AccountState.otherPassphrase.utf8))
        let refused = try old.run(
            machines.sending.dropLast(2) + ["--passphrase-file", wrong.string])
        #expect(refused.status == 12, "\(refused.errors)")
        let image = machines.folder.appending("there.png")
        try FileSystem().replace(image, with: [1])
        let taken = try old.run(machines.sending + ["--qr-png", image.string])
        #expect(taken.status == 1 && taken.errors.contains("not a PNG image"), "\(taken.errors)")
        #expect(try machines.relay.chunkCount() == 0)
        let sent = try machines.send()
        let later = try new.run(
            machines.receiving.dropLast(2) + ["--passphrase-file", wrong.string], input: sent.output)
        #expect(later.status == 12 && later.errors.contains("kept"), "\(later.errors)")
        #expect(try !new.has("simplex_v1_chat.db"))
        let undecided = try new.run(["move", "receive", "-", "elsewhere", "--no-input"], input: sent.output)
        #expect(undecided.status == 64 && undecided.errors.contains("--yes"), "\(undecided.errors)")
        // What was received is not received again; the folder alone resumes it.
        let received = try new.run(["move", "receive", new.account.string] + new.passphrase)
        #expect(received.status == 0 && received.words == sent.words, "\(received.errors)")
        let stranger = try old.run(
            ["move", "receive", "-", old.account.string, "--yes", "--approve-relays"] + old.passphrase,
            input: sent.output)
        #expect(stranger.status == 1 && stranger.errors.contains("--into-existing"), "\(stranger.errors)")
        let broken = try new.run(machines.receiving, input: "simplex:/file#/?desc=nothing")
        #expect(
            [13, 64].contains(broken.status) && !broken.errors.contains("desc=nothing"), "\(broken.errors)")
    }

    @Test func `relays that nobody can be asked about are a missing confirmation, and the job waits`() throws
    {
        let sent = try machines.send()
        let unasked = try new.run(
            ["move", "receive", "-", new.account.string, "--yes", "--no-input"] + new.passphrase,
            input: sent.output)
        #expect(unasked.status == 64, "\(unasked.errors)")
        #expect(unasked.errors.contains(/hint: .*--approve-relays/), "\(unasked.errors)")
        let jobs = try #require(try new.run(["jobs", "list", "--json"]).json?["jobs"] as? [[String: Any]])
        #expect(jobs.map { $0["state"] as? String } == ["needsPerson"], "\(jobs)")
        let resumed = try new.run(
            ["move", "receive", new.account.string, "--approve-relays"] + new.passphrase)
        #expect(resumed.status == 0 && resumed.words == sent.words, "\(resumed.errors)")
    }

    @Test func `a file that is no archive is refused once, and leaves no move`() throws {
        let file = machines.folder.appending("text.zip")
        try FileSystem().replace(file, with: Array("no archive\n".utf8))
        let refused = try new.run(
            ["move", "receive", file.string, new.account.string, "--yes"] + new.passphrase)
        #expect(refused.status != 0 && refused.errors.contains("not an account archive"), "\(refused.errors)")
        #expect(refused.errors.components(separatedBy: file.string).count == 2, "\(refused.errors)")
        #expect(try new.moves().isEmpty)
        try FileSystem().replace(file, with: Array("simplex:/file#/?desc=secret\n".utf8))
        let link = try new.run(
            ["move", "receive", file.string, new.account.string, "--yes"] + new.passphrase)
        #expect(link.status == 64 && link.errors.contains("receive - FOLDER <"), "\(link.errors)")
        #expect(!link.errors.contains("secret"))
    }

    @Test func `what is asked on the wrong machine or in the wrong folder is said`() throws {
        let sent = try machines.send()
        let received = try new.run(machines.receiving, input: sent.output)
        #expect(received.status == 0, "\(received.errors)")
        for operation in [
            ["finish", new.account.string, "--words", sent.words], ["link", new.account.string],
            ["finish", new.account.string, "--no-input"], ["finish", new.account.string, "--dry-run"],
        ] {
            let outcome = try new.run(["move"] + operation)
            let sentence = "\(new.account): this account was received here\n"
            #expect(outcome.status == 10 && outcome.errors.contains(sentence), "\(outcome.errors)")
            // Pasted, it would begin a second move.
            #expect(!outcome.errors.contains("move send"), "\(outcome.errors)")
        }
        let status = try new.run(["move", "status", new.account.string])
        let next = "compare the words, then on the machine that sent it, run: valise move finish FOLDER\n"
        #expect(status.output.contains("next: " + next), "\(status.output)")
        let arrived = try new.run(["move", "cancel", new.account.string])
        #expect(arrived.status == 1 && arrived.errors.contains("stays"), "\(arrived.errors)")
        let nowhere = try old.run(["move", "finish", "nowhere", "--words", sent.words])
        #expect(nowhere.status == 10 && nowhere.errors.contains("no such folder"), "\(nowhere.errors)")
        #expect(try finish(sent.words, "--unconfirmed").status == 0)
        let over = try old.run(["move", "link", old.account.string])
        #expect(over.status == 1 && over.errors.contains("link no longer exists"), "\(over.errors)")
    }

    @Test func `an archive that was cut is damaged, and stays the user's`() throws {
        let archive = machines.folder.appending("stick.zip")
        let sent = try old.run(
            ["move", "send", old.account.string, "--to", archive.string, "--yes"] + old.passphrase)
        #expect(sent.status == 0, "\(sent.errors)")
        let bytes = try FileSystem().contents(of: archive, limit: 1 << 30)
        try FileSystem().replace(archive, with: Array(bytes.prefix(bytes.count / 2)))
        let cut = try new.run(
            ["move", "receive", archive.string, new.account.string, "--yes"] + new.passphrase)
        #expect(cut.status == 13 && !cut.errors.contains("cancel"), "\(cut.errors)")
        try FileSystem().replace(archive, with: bytes)
        let whole = try new.run(
            ["move", "receive", archive.string, new.account.string, "--yes"] + new.passphrase)
        #expect(whole.status == 0, "\(whole.errors)")
    }

    @Test(arguments: [
        (["send", "a", "--serve", "localhost", "--to", "b"], "only one"), (["send", "a", "--pack"], "--to"),
        (["send", "a", "--to", "b", "--renew"], "expire"), (["receive", "-"], "folder"),
        (["receive", "simplex:/file#/?desc=secret"], "folder"), (["receive", "nothing.zip", "a"], "archive"),
        (["finish"], "no account given"),
        (["send", "a", "--network-config", #"{"hostMode":"no"}"#], "network-config"),
    ]) func `what makes no sense is refused with a word about the way out`(
        arguments: [String], word: String
    ) throws {
        let outcome = try new.run(["move"] + arguments)
        #expect([10, 64].contains(outcome.status), "\(outcome.errors)")
        #expect(outcome.errors.contains(word) && !outcome.errors.contains("secret"), "\(outcome.errors)")
    }
}
