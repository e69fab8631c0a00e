import ArgumentParser
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseAccounts
import ValiseEncoding
import ValiseFailures

@testable import ValiseCommands

/// What a library says by type, in the words and the commands of this program.
struct RemedyTests {
    private static let source = Repository.url("Sources/0-Ground/Failures/Remedy.swift")

    /// Cases that were renamed; in JSON each keeps its name.
    private static let earlierNames = ["copyCompleteLink": "copyWholeLink"]

    private func object(_ value: some Encodable) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(JSONText.encode(value).utf8)) as? [String: Any])
    }

    @Test func `every remedy has its words, its commands and its options`() {
        for (remedy, text, lines, options) in Remedy.samples {
            #expect(RemedyText.text(remedy) == text)
            #expect(RemedyCommand.lines(remedy) == lines)
            #expect(RemedyCommand.options(remedy) == options)
        }
    }

    @Test func `the samples have every case, and each names itself in JSON`() throws {
        let text = try String(contentsOf: Self.source, encoding: .utf8)
        let cases = Set(text.matches(of: #/(?m)^    case (\w+)/#).map { String($0.1) })
        let kinds = try Remedy.samples.map { try #require(try object($0.remedy)["kind"] as? String) }
        #expect(Set(kinds) == Set(cases.map { Self.earlierNames[$0] ?? $0 }))
    }

    @Test func `every command line is one that the program takes`() throws {
        for sample in Remedy.samples {
            // Words in quotes are looked at by ShellWordTests.
            for line in RemedyCommand.lines(sample.remedy) {
                switch sample.remedy {
                case .makePrivate, .createFolder:
                    #expect(line.hasPrefix("chmod ") || line.hasPrefix("mkdir -p "))
                    continue
                case .unmount:
                    #expect(line.hasPrefix("umount "))
                    continue
                // Of the other program, and HOST is for the user to replace.
                case .setUpRelay:
                    #expect(line.hasPrefix("valise-relay init --folder "))
                    continue
                default: break
                }
                #expect(line.hasPrefix("valise "))
                let arguments = line.replacing(#/'(?:[^']|'\\'')*'/#, with: "x").split(separator: " ")
                    .dropFirst()
                #expect(throws: Never.self, "\(line)") {
                    try ValiseCommand.parseAsRoot(arguments.map(String.init))
                }
            }
        }
    }

    @Test func `every command in the words exists`() throws {
        for case let text? in Remedy.samples.map({ $0.text }) {
            for match in text.matches(of: #/['“]valise ([a-z]+) ([a-z]+)/#) {
                let group = try #require(
                    ValiseCommand.configuration.subcommands.first {
                        $0.configuration.commandName == String(match.1)
                    }, "\(text)")
                #expect(
                    group.configuration.subcommands.contains {
                        $0.configuration.commandName == String(match.2)
                    }, "\(text)")
            }
        }
    }

    @Test func `an account in the present folder is salvaged into one beside it`() throws {
        let line = RemedyCommand.lines(.salvageAccount(.init(directory: ".", prefix: "simplex_v1")))
        let name = try #require(FilePath(FileManager.default.currentDirectoryPath).lastComponent?.string)
        #expect(line == ["valise account salvage . ../\(name)-salvaged"])
    }

    @Test func `a hint that has a passphrase of its own gets none of the call`() {
        #expect(CallPassphrase.options(for: "account check", beside: ["--passphrase-file FILE"]).isEmpty)
        #expect(CallPassphrase.options(for: "account check", beside: ["--no-key-store"]).isEmpty)
        #expect(CallPassphrase.options(for: "move finish", beside: []).isEmpty)
        // What is read from the same file again says nothing about the sheet.
        #expect(!CallPassphrase.accountCommands.contains("key sheet"))
    }

    @Test func `every command that gets the passphrase of a call takes it`() throws {
        let sources = ["--passphrase-file", "key"]
        for command in CallPassphrase.accountCommands.union(CallPassphrase.archiveCommands) {
            let operands: [String] =
                switch command {
                case "account sql", "account salvage", "archive export", "archive import", "archive salvage",
                    "media export":
                    ["a", "b"]
                case "archive extract": ["a", "-C", "b"]
                default: ["a"]
                }
            let words = command.split(separator: " ").map(String.init) + operands
            #expect(throws: Never.self, "\(command)") { try ValiseCommand.parseAsRoot(words + sources) }
            guard CallPassphrase.accountCommands.contains(command) else { continue }
            #expect(throws: Never.self, "\(command)") {
                try ValiseCommand.parseAsRoot(words + ["--key-store", "file"])
            }
        }
    }

    @Test func `a command line in a sentence stands between marks that it does not have`() {
        #expect(RemedyCommand.quoted("valise move send /a") == "'valise move send /a'")
        #expect(RemedyCommand.quoted("valise move send '/a b'") == "“valise move send '/a b'”")
    }

    @Test func `a failure is told with the remedies of its causes, once`() {
        let below = AccountError(
            .failed, "an operation on this account was not completed", "/a",
            remedy: .recoverAccount(Remedy.sampleAccount))
        #expect(below.description == "/a: an operation on this account was not completed")
        let recovering =
            #"Run “valise account recover '/a b/it'\''s'” to complete the interrupted operation or roll it back."#
        #expect(below.text == "/a: an operation on this account was not completed. \(recovering)")
        #expect(
            below.lines == [
                "/a: an operation on this account was not completed",
                "hint: to complete the interrupted operation or roll it back, run: "
                    + #"valise account recover '/a b/it'\''s'"#,
            ])
        let above = AccountError(.failed, "nothing was moved", "/b", cause: below, remedy: .listJobs)
        #expect(
            above.text
                == "/b: nothing was moved. Run 'valise jobs list' to see all jobs. "
                + "(/a: an operation on this account was not completed. \(recovering))")
        #expect(above.lines.count == 3)
        #expect(
            above.description == "/b: nothing was moved (/a: an operation on this account was not completed)")
        let same = AccountError(
            .failed, "an operation on this account was not completed", "/a", cause: below,
            remedy: .recoverAccount(Remedy.sampleAccount))
        #expect(same.text == below.text)
        let more = AccountError(
            .failed, "\(below.message). Nothing was moved.", "/a", cause: below, remedy: below.remedy)
        #expect(more.text == "\(more.description) \(recovering)")
    }

    @Test func `control characters of a path that a remedy names are not printed`() {
        let failure = AccountError(
            .failed, "several accounts are here", "/a", remedy: .choosePrefix("/a", ["\u{1b}[2J"]))
        #expect(
            failure.printable == #"/a: several accounts are here. Add --prefix $'\033[2J' to choose one."#)
    }

    @Test func `the JSON of a failure has the remedy by type, and how it is done`() throws {
        let failure = AccountError(
            .damaged, "the database is damaged", "/a b/x", remedy: .salvageAccount(Remedy.sampleAccount))
        let json = try object(FailureJSON(failure))
        #expect(json["message"] as? String == failure.text)
        let remedy = try #require(json["remedy"] as? [String: Any])
        #expect(Set(remedy.keys) == ["kind", "account", "commands", "options"])
        #expect(remedy["kind"] as? String == "salvageAccount")
        #expect(
            remedy["account"] as? [String: String] == ["directory": "/a b/it's", "prefix": "simplex_v1"])
        #expect(
            remedy["commands"] as? [String] == [
                #"valise account salvage '/a b/it'\''s' '/a b/it'\''s-salvaged'"#
            ])
        #expect(remedy["options"] as? [String] == [])
        #expect(try object(FailureJSON(AccountError(.failed, "no", "/a")))["remedy"] == nil)
    }

    @Test func `the JSON of a failure has what only the command line can name`() throws {
        let failure = CommandError(
            .invalid, "no account given, and several found", subject: nil,
            hints: [
                Hint("use the account of the app", command: "account check", "'/a b'", options: ["--json"]),
                Hint("use the account of the app", command: "account check", "/c", options: ["--json"]),
                Hint("use none", options: "--quiet"),
                Hint("search a disk", command: "account find FOLDER", nil),
            ])
        let json = try object(FailureJSON(failure))
        #expect(
            json["message"] as? String
                == "no account given, and several found. "
                + "Run “valise account check '/a b' --json” to use the account of the app. "
                + "Run 'valise account check /c --json' to use the account of the app. "
                + "Add --quiet to use none. Run 'valise account find FOLDER' to search a disk.")
        let remedy = try #require(json["remedy"] as? [String: Any])
        #expect(Set(remedy.keys) == ["kind", "commands", "options"])
        #expect(remedy["kind"] as? String == "other")
        #expect(
            remedy["commands"] as? [String]
                == ["valise account check '/a b' --json", "valise account check /c --json"])
        #expect(remedy["options"] as? [String] == ["--quiet"])
        let advice = CommandError(.invalid, "no", hints: [Hint("choose another name")])
        #expect(try object(FailureJSON(advice))["remedy"] == nil)
    }

    @Test func `a remark of a report is its sentence in JSON, with the words where there are some`() throws {
        let account = Remedy.Account(directory: "/a", prefix: "simplex_v1")
        let remark = Remark("it has 3 bytes", remedy: .auditMedia(account))
        #expect(try JSONText.encode([remark]) == #"["it has 3 bytes"]"#)
        #expect(
            try JSONText.encode([remark], remedies: RemedyText.words)
                == #"["it has 3 bytes. Run 'valise media audit /a' to see the details."]"#)
        #expect(try JSONText.decode([Remark].self, from: #"["it has 3 bytes"]"#) == ["it has 3 bytes"])
        #expect(remark.text == "it has 3 bytes. Run 'valise media audit /a' to see the details.")
    }

    @Test func `a database's account is told by the name of its file`() {
        #expect(
            Remedy.Account(ofDatabase: "/a/simplex_v1_agent.db")
                == Remedy.Account(directory: "/a", prefix: "simplex_v1"))
        #expect(
            Remedy.Account(ofDatabase: "my_chat_chat.db") == Remedy.Account(directory: ".", prefix: "my_chat")
        )
    }
}
