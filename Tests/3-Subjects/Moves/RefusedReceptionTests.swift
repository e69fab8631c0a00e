import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseAccounts
import ValiseChatSchema
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseMoves
import ValiseSecrets
import ValiseTransfers

@Suite struct RefusedReceptionTests {
    @Test("What is no link is refused, and nothing is begun")
    func wrongLink() async throws {
        let bench = try MoveBench()
        for links in [[], [""], ["https://example.org/"], ["simplex:/file#/?desc=x"]] {
            #expect(try await kind { try await bench.receive(.links(links)) } == .wrongLink)
        }
        #expect(try await kind { try await bench.receive(nil) } == .noMove)
        #expect(try bench.move(.new).moves().isEmpty)
    }

    @Test("What a relay changed is not taken, and what it did not change is received by the next run")
    func tampered() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        bench.relays.spoil()
        await #expect(throws: FileTransferError.self) { try await bench.receive(sent.source) }
        #expect(try !FileSystem().exists(bench.new.directory))
        bench.relays.spoil()
        #expect(try await bench.receive(sent.source).words == sent.words)
    }

    @Test(
        "A wrong passphrase is asked for three times, then the run ends, and the next asks again and receives nothing twice"
    )
    func wrongPassphrase() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        let asked = Mutex<[Int]>([])
        let wrong = ReceiveQuestions { attempt in
            asked.withLock { $0.append(attempt) }
            return try MoveBench.secret("x'" + String(repeating: "5b", count: 32) + "'")
        }
        #expect(try await kind { try await bench.receive(sent.source, asking: wrong) } == .wrongPassphrase)
        #expect(asked.withLock { $0 } == [1, 2, 3])
        #expect(try bench.move(.new).moves().map(\.state) == ["passphrase"])
        #expect(try !FileSystem().exists(bench.new.directory))
        let downloads = bench.relays.downloads
        let twice = ReceiveQuestions { attempt in
            try attempt < 3
                ? MoveBench.secret("x'" + String(repeating: "5b", count: 32) + "'") : MoveBench.secret()
        }
        #expect(try await bench.receive(nil, asking: twice).words == sent.words)
        // The list of chunks at most, to confirm them.
        #expect(bench.relays.downloads <= downloads + 1)
    }

    @Test("An account in place is not replaced unless that is wanted, and nothing is received before")
    func existing() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        try AccountCreation().create(bench.new, passphrase: MoveBench.secret().bytes)
        let before = try MoveBench.contents(bench.new)
        #expect(try await kind { try await bench.receive(sent.source) } == .accountExists)
        #expect(bench.relays.downloads == 0)
        #expect(try bench.move(.new).moves().isEmpty)
        #expect(try MoveBench.contents(bench.new) == before)
        // Killed in the midst, the replacement goes on too.
        let killed = bench.move(.new) { if $0 == .receiving(.archiveImport) { throw Killed() } }
        await #expect(throws: Killed.self) {
            try await bench.receive(sent.source, killed) {
                ($0.replacesAccount, $0.replacesNewer) = (true, true)
            }
        }
        #expect(try MoveBench.contents(bench.new) == before)
        let received = try await bench.receive(nil) { ($0.replacesAccount, $0.replacesNewer) = (true, true) }
        #expect(received.imported.replacedAccount)
        #expect(received.words == sent.words)
    }

    @Test("Too little room for the download and the import is said before anything is received")
    func noSpace() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        let small = bench.move(.new, FileSystem(interposer: LittleSpace(free: 200_000)))
        #expect(try await kind { try await bench.receive(sent.source, small) } == .noSpace)
        #expect(bench.relays.downloads == 0)
        #expect(try await bench.receive(nil).words == sent.words)
    }

    @Test("An account that is newer than known, or of an old schema, is left or migrated as is said")
    func schema() async throws {
        let name = SchemaLineage.chat.migrations[17].name
        let old = try MoveBench(sample: false, schema: [.chat: name])
        let sent = try await old.send()
        for answer in [false, true] {
            let place = AccountLocation(directory: old.path.appending("place-\(answer)"))
            var questions = MoveBench.questions()
            questions.upgradesSchema = { plan in
                #expect(plan.steps.contains { $0.direction == .up })
                return answer
            }
            let received = try await old.receive(sent.source, to: place, asking: questions) {
                $0.acknowledges = false
            }
            #expect(received.words == sent.words)
            #expect(received.schema.outcome == (answer ? .upgraded : .declined))
            #expect(received.schema.migrations["chat"]?.isEmpty == false)
        }
        let newer = try MoveBench()
        let connection = try Connection(
            newer.old.path(of: .chat), mode: .readWrite, passphrase: MoveBench.secret().bytes)
        try connection.execute(
            "UPDATE migrations SET name = '9999_future' WHERE name = (SELECT max(name) FROM migrations)")
        let received = try await newer.receive(newer.send().source)
        #expect(received.schema.outcome == .newerThanKnown)
    }

    @Test("Who says no to the link has received nothing")
    func declinedLink() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        var questions = MoveBench.questions()
        questions.confirm = { info in
            #expect(info.size > 0)
            return false
        }
        #expect(try await kind { try await bench.receive(sent.source, asking: questions) } == .declined)
        #expect(bench.relays.downloads == 0)
        #expect(try bench.remains(.new).isEmpty)
        // Another account's link goes into the same place now.
        let other = try await bench.receive(sent.source)
        #expect(other.words == sent.words)
    }

    /// A full disk, or a crash between the archive's name and the record, leaves the state from before.
    @Test(
        "What was received whole is not received again, whatever state is noted",
        arguments: [
            #""linkDownloading""#, #""downloadProgress""#,
            #""downloadFailed","reason":"there is no space left""#,
            #""archiveImportFailed","reason":"there is no space left""#,
        ])
    func receivedButNotNoted(state: String) async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        let killed = bench.move(.new) { if $0 == .receiving(.archiveVerification) { throw Killed() } }
        await #expect(throws: Killed.self) { try await bench.receive(sent.source, killed) }
        let record = try #require(
            try bench.remains(.new).first { $0.hasPrefix("moves/") && $0.hasSuffix("move.json") })
        let path = bench.path.appending("home-new").pushing(FilePath(record))
        let text = String(decoding: try FileSystem().contents(of: path, limit: 1 << 20), as: UTF8.self)
        let changed = text.replacing(#""archiveVerification""#, with: state)
        try #require(changed != text)
        try FileSystem().replace(path, with: Array(changed.utf8))
        let downloads = bench.relays.downloads
        #expect(try await bench.receive(nil).words == sent.words)
        // The list of chunks at most, to confirm them.
        #expect(bench.relays.downloads <= downloads + 1)
        #expect(try bench.areEqual(agentOnly: true))
    }
}
