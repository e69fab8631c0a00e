import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseTransfers

@testable import ValiseMoves

@Suite struct CompleteMoveTests {
    @Test(
        "An account moves: sent, received, equal by words and bytes, the source retired, nothing left anywhere"
    )
    func whole() async throws {
        let bench = try MoveBench()
        let before = try MoveBench.contents(bench.old)
        let sent = try await bench.send()
        #expect(sent.links.count == 1)
        #expect(sent.officialAppsCanReceive)
        #expect(sent.renewals == 0)
        #expect(sent.expires == sent.created + 48 * 3600)
        #expect(try MoveBench.contents(bench.old) == before)

        var questions = MoveBench.questions()
        questions.takesNetworkConfig = { _ in false }
        let received = try await bench.receive(sent.source, asking: questions)
        #expect(received.words == sent.words)
        #expect(received.network == .declined)
        #expect(received.schema.outcome == .current)
        #expect(received.imported.archiveErrors.isEmpty)
        #expect(received.imported.foreignMedia == 0)
        #expect(received.imported.entries == sent.entries)
        let areEqual = try bench.areEqual()
        #expect(areEqual)
        #expect(
            try TemporaryFolder.contents(of: bench.path.appending("new")).keys.allSatisfy {
                !$0.contains(".move-")
            })

        let finished = try await bench.move(.old).finish(bench.old, words: received.words)
        #expect(finished.source == .retired)
        #expect(finished.chunksLeft == 0)
        #expect(bench.relays.count == 0)
        #expect(try RetiredMark.isThere(bench.old, fileSystem: FileSystem()))
        #expect(try bench.move(.old).moves().map(\.state) == ["finished"])
        #expect(try bench.move(.new).moves().map(\.state) == ["finished"])
        let uploads = try bench.remains(.old).filter { $0.hasPrefix("uploads") }
        #expect(uploads.isEmpty)
        // It cannot be sent any more, and nothing is left to be finished.
        await #expect(throws: AccountError.self) { try await bench.send() }
        let error = await #expect(throws: DeviceMigrationError.self) {
            try await bench.move(.old).finish(bench.old, words: received.words)
        }
        #expect(error?.kind == .alreadyFinished)
        // But removed.
        let removed = try await bench.move(.old).finish(bench.old, words: received.words, removesSource: true)
        #expect(removed.source == .removed)
        #expect(try MoveBench.contents(bench.old).values.allSatisfy { $0 == nil })
    }

    @Test("An image of the link goes with the link: when the account is sent again, and with the move")
    func linkImage() async throws {
        let (bench, fileSystem) = (try MoveBench(), FileSystem())
        let sent = try await bench.send()
        try fileSystem.replace(sent.linkImage, with: [1])
        _ = try await bench.send()
        #expect(try fileSystem.exists(sent.linkImage), "the link is the same")
        let renewed = try await bench.move(.old).renew(
            bench.old, passphrase: MoveBench.secret(), MoveBench.sendOptions)
        #expect(try !fileSystem.exists(sent.linkImage))
        try fileSystem.replace(renewed.linkImage, with: [1])
        _ = try await bench.move(.old).finish(bench.old, words: renewed.words)
        #expect(try !fileSystem.exists(renewed.linkImage))
    }

    @Test("Records and links are of this user alone, and a finished record has no link")
    func privacy() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        let questions = ReceiveQuestions { _ in throw Killed() }
        await #expect(throws: Killed.self) { try await bench.receive(sent.source, asking: questions) }
        for machine in [MoveBench.Machine.old, .new] {
            let store = bench.path.appending("home-\(machine.rawValue)").appending("moves")
            let id = try #require(try FileSystem().list(store).first?.name)
            let record = store.appending(id).appending("move.json")
            for folder in [store, store.appending(id)] {
                #expect(try FileSystem().attributes(of: folder)?.permissions == .ownerReadWriteExecute)
            }
            #expect(try FileSystem().attributes(of: record)?.permissions == .ownerReadWrite)
            let text = String(decoding: try FileSystem().contents(of: record, limit: 1 << 20), as: UTF8.self)
            #expect(!text.contains("5a5a5a"))
            // The sender's links are in the journal of the upload alone.
            #expect(text.contains("simplex:/file") == (machine == .new))
        }
        let work = try #require(
            try FileSystem().list(bench.path).compactMap(\.name).first { $0.hasPrefix(".move-") })
        #expect(
            try FileSystem().attributes(of: bench.path.appending(work))?.permissions == .ownerReadWriteExecute
        )
        _ = try await bench.receive(nil)
        let store = bench.path.appending("home-new/moves")
        let contents = try TemporaryFolder.contents(of: store).values.compactMap { $0 }
        #expect(contents.count == 1)
        #expect(contents.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("simplex:/file") })
    }

    @Test(
        "The network configuration that the app had saved arrives where it is wanted, and the words are those of before"
    )
    func network() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        let links = try sent.texts
        let info = try LinkSet(links).info
        #expect(info.networkConfig != nil)
        #expect(info.parts.first?.isRedirect == true)
        let received = try await bench.receive(sent.source)
        #expect(received.network == .taken)
        #expect(received.words == sent.words)
        let areEqual = try bench.areEqual(agentOnly: true)
        #expect(areEqual)
        let settings = try AppSettings.read(bench.new, passphrase: MoveBench.secret().bytes)
        #expect(settings?.networkConfig == info.networkConfig)
    }

    @Test("The same call returns the same again, on both sides, and asks no relay")
    func again() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        let uploads = bench.relays.uploads
        #expect(try await bench.send().links.count == 1)
        #expect(try await bench.move(.old).sent(bench.old).words == sent.words)
        #expect(bench.relays.uploads == uploads)
        let received = try await bench.receive(sent.source)
        let downloads = bench.relays.downloads
        #expect(try await bench.receive(sent.source).words == received.words)
        #expect(try await bench.receive(nil).words == received.words)
        #expect(bench.relays.downloads == downloads)
    }

    @Test("An archive file goes to the other machine instead of a link", arguments: [false, true])
    func file(packs: Bool) async throws {
        let bench = try MoveBench()
        let archive = bench.path.appending("stick.zip")
        let options = SendOptions(.file(archive, packs: packs))
        let killed = bench.move(.old) { if $0 == .sending(.linkCreation) { throw Killed() } }
        await #expect(throws: Killed.self) { try await bench.send(killed, options) }
        #expect(try FileSystem().exists(archive))
        let sent = try await bench.send(nil, options)
        #expect(sent.links.isEmpty)
        #expect(sent.expires == nil)
        #expect(bench.relays.uploads == 0)
        let received = try await bench.receive(.archive(archive))
        #expect(received.words == sent.words)
        #expect(received.network == .none)
        let areEqual = try bench.areEqual()
        #expect(areEqual)
        let error = await #expect(throws: DeviceMigrationError.self) {
            try await bench.move(.old).renew(bench.old, passphrase: MoveBench.secret(), options)
        }
        #expect(error?.kind == .unsupported)
        let finished = try await bench.move(.old).finish(bench.old, words: received.words)
        #expect(finished.archiveLeft == archive.string)
        #expect(try FileSystem().exists(archive))
    }

    @Test(
        "The archive that was looked at is received, whatever has its name after a question",
        arguments: [true, false])
    func replacedArchive(isAtConfirmation: Bool) async throws {
        let bench = try MoveBench()
        let archive = bench.path.appending("stick.zip")
        let sent = try await bench.send(nil, SendOptions(.file(archive, packs: false)))
        let other = bench.path.appending("other.zip")
        try FileSystem().replace(other, with: Array("no archive".utf8))
        var questions = ReceiveQuestions { _ in
            if !isAtConfirmation { try FileSystem().rename(other, to: archive) }
            return try MoveBench.secret()
        }
        questions.confirm = { _ in
            if isAtConfirmation { try FileSystem().rename(other, to: archive) }
            return true
        }
        let received = try await bench.receive(.archive(archive), asking: questions)
        #expect(received.words == sent.words)
        let areEqual = try bench.areEqual()
        #expect(areEqual)
        #expect(try FileSystem().contents(of: archive, limit: 20) == Array("no archive".utf8))
    }

    @Test("An archive file that is there already is refused, and nothing is noted of it as ours")
    func fileTaken() async throws {
        let bench = try MoveBench()
        let archive = bench.path.appending("stick.zip")
        try FileSystem().replace(archive, with: [1, 2, 3])
        let error = await #expect(throws: AccountArchiveError.self) {
            try await bench.send(nil, SendOptions(.file(archive, packs: false)))
        }
        #expect(error?.code == .alreadyExists)
        #expect(try FileSystem().contents(of: archive, limit: 10) == [1, 2, 3])
        #expect(try bench.move(.old).moves().isEmpty)
    }

    @Test("An account in several parts needs all of its links, and the plan says that the apps take only one")
    func parts() async throws {
        let bench = try MoveBench()
        let plan = try bench.move(.old, largest: 300_000).sendPlan(
            bench.old, passphrase: MoveBench.secret().bytes, MoveBench.sendOptions)
        #expect(plan.parts > 1)
        #expect(!plan.officialAppsCanReceive)
        let sent = try await bench.send(bench.move(.old, largest: 300_000))
        #expect(sent.links.count > 1)
        #expect(!sent.officialAppsCanReceive)
        let links = try sent.texts
        for given in [[links[0]], Array(links.dropLast())] {
            let error = await #expect(throws: DeviceMigrationError.self) {
                try await bench.receive(.links(given))
            }
            #expect(error?.kind == .partsMissing)
        }
        let received = try await bench.receive(.links(links.reversed() + [links[0]]))
        #expect(received.words == sent.words)
        _ = try await bench.move(.old).finish(bench.old, words: received.words)
        #expect(bench.relays.count == 0)
    }
}
