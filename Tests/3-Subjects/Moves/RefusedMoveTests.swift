import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseMoves
import ValiseSecrets
import ValiseTransfers

@Suite struct RefusedMoveTests {
    @Test("An account in use, without a passphrase, with a random or a wrong one is not sent")
    func source() async throws {
        let bench = try MoveBench()
        do {
            let lock = try AccountLock(bench.old, .shared, fileSystem: FileSystem())
            #expect(try await kind { try await bench.send() } == .sourceInUse)
            #expect(try bench.move(.old).moves().isEmpty)
            withExtendedLifetime(lock) {}
        }
        let random = "x" + String(repeating: "A", count: 42) + "="
        for (text, expected) in [
            (random, DeviceMigrationError.Kind.passphraseNotSet),
            ("x'" + String(repeating: "5b", count: 32) + "'", .wrongPassphrase),
        ] {
            let found = try await kind {
                try await bench.move(.old).send(
                    bench.old, passphrase: MoveBench.secret(text), MoveBench.sendOptions)
            }
            #expect(found == expected)
            #expect(try bench.move(.old).moves().isEmpty)
        }
        #expect(bench.relays.count == 0)
        _ = try await bench.send()

        let plain = AccountLocation(directory: bench.path.appending("plain"))
        try AccountCreation().create(plain, passphrase: SecretBytes.empty())
        let found = try await kind {
            try await bench.move(.old).send(plain, passphrase: MoveBench.secret(""), MoveBench.sendOptions)
        }
        #expect(found == .passphraseNotSet)
    }

    @Test("Who says no to the plan has sent nothing, and may say yes later")
    func declined() async throws {
        let bench = try MoveBench()
        let plans = Mutex<[SendPlan]>([])
        let found = try await kind {
            try await bench.move(.old).send(bench.old, passphrase: MoveBench.secret(), MoveBench.sendOptions)
            {
                plan in
                plans.withLock { $0.append(plan) }
                return false
            }
        }
        #expect(found == .declined)
        let plan = try #require(plans.withLock { $0 }.first)
        #expect(plan.hasAppSettings)
        #expect(plan.networkConfig != nil)
        #expect(plan.officialAppsCanReceive)
        #expect(bench.relays.uploads == 0)
        #expect(try bench.remains(.old).isEmpty)
        let sent = try await bench.send()
        #expect(sent.entries == plan.entries)
        #expect(sent.archiveSize <= plan.archiveSize)
    }

    @Test("Words of another account finish nothing")
    func wrongWords() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        let before = try MoveBench.contents(bench.old)
        let other = AccountProof(
            chat: Array(repeating: 1, count: 32), agent: Array(repeating: 2, count: 32),
            media: Array(repeating: 3, count: 32))
        let error = await #expect(throws: DeviceMigrationError.self) {
            _ = try await bench.move(.old).finish(bench.old, words: other.words)
        }
        #expect(error?.kind == .wrongWords && error?.remedy == .compareWordsAgain)
        #expect(try MoveBench.contents(bench.old) == before)
        #expect(try bench.move(.old).moves().map(\.state) == ["linkShown"])
        #expect(bench.relays.count > 0)
        _ = try await bench.move(.old).finish(bench.old, words: sent.words)
    }

    @Test("Before anything was sent nothing is finished or renewed")
    func tooEarly() async throws {
        let bench = try MoveBench()
        let words = FingerprintWords.sample
        #expect(try await kind { try await bench.move(.old).finish(bench.old, words: words) } == .noMove)
        await #expect(throws: Killed.self) {
            try await bench.send(bench.move(.old) { if $0 == .sending(.archiving) { throw Killed() } })
        }
        #expect(try await kind { try await bench.move(.old).finish(bench.old, words: words) } == .wrongState)
        #expect(try await kind { try await bench.move(.old).sent(bench.old) } == .wrongState)
    }

    @Test("An account that was used since it was sent is not retired, and is sent anew under new words")
    func usedSince() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        try bench.use(bench.old)
        #expect(
            try await kind { try await bench.move(.old).finish(bench.old, words: sent.words) }
                == .sourceChanged)
        #expect(try await kind { try await bench.send() } == .sourceChanged)
        #expect(try !RetiredMark.isThere(bench.old, fileSystem: FileSystem()))
        let renewed = try await bench.move(.old).renew(
            bench.old, passphrase: MoveBench.secret(), MoveBench.sendOptions)
        #expect(renewed.words != sent.words)
        #expect(renewed.renewals == 1)
        let received = try await bench.receive(renewed.source)
        #expect(received.words == renewed.words)
        _ = try await bench.move(.old).finish(bench.old, words: renewed.words)
        #expect(bench.relays.count == 0)
    }

    @Test("A media file that is changed while the account is sent stops it, and nothing stays on relays")
    func changedMeanwhile() async throws {
        let bench = try MoveBench()
        let before = try MoveBench.contents(bench.old)
        let folder = bench.old.filesFolder
        let file = folder.appending(try #require(try FileSystem().list(folder).last?.name))
        let content = try FileSystem().contents(of: file, limit: 1 << 24)
        bench.relays.beforeUpload { number in
            if number == 0 { try FileSystem().replace(file, with: content + [1]) }
        }
        #expect(try await kind { try await bench.send() } == .sourceChanged)
        #expect(bench.relays.count == 0)
        #expect(try bench.move(.old).moves().map(\.state) == ["uploadFailed"])
        bench.relays.beforeUpload { number in
            // A program that opens a database finds it locked.
            if number == 0 { #expect(throws: DatabaseError.self) { try bench.use(bench.old) } }
        }
        try FileSystem().replace(file, with: content)
        let sent = try await bench.send()
        bench.relays.beforeUpload(nil)
        #expect(try MoveBench.contents(bench.old) == before)
        #expect(try await bench.receive(sent.source).words == sent.words)
    }

    @Test("A link that is too old is said to be, on both sides, and a renewed one goes into the same place")
    func expired() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        bench.later.withLock { $0 = 49 * 3600 }
        bench.relays.expireAll()
        #expect(try await kind { try await bench.send() } == .expired)
        #expect(try await kind { try await bench.receive(sent.source) } == .expired)
        #expect(try bench.move(.new).moves().map(\.state) == ["downloadFailed"])
        let renewed = try await bench.move(.old).renew(
            bench.old, passphrase: MoveBench.secret(), MoveBench.sendOptions)
        #expect(renewed.words == sent.words)
        #expect(renewed.created > sent.created)
        #expect(try await bench.receive(renewed.source).words == sent.words)
        _ = try await bench.move(.old).finish(bench.old, words: sent.words)
        #expect(bench.relays.count == 0)
    }

    @Test("Killed while it is renewed, the old link is good until the new one is there")
    func renewKilled() async throws {
        for state in [SendingState.archiving, .uploadProgress, .linkCreation, .linkShown] {
            let bench = try MoveBench()
            let sent = try await bench.send()
            let chunks = bench.relays.count
            await #expect(throws: Killed.self) {
                try await bench.move(.old) { if $0 == .sending(state) { throw Killed() } }.renew(
                    bench.old, passphrase: MoveBench.secret(), MoveBench.sendOptions)
            }
            #expect(bench.relays.count >= chunks)
            _ = try await bench.receive(sent.source)
            let again = try await bench.send()
            #expect(again.renewals == 1)
            #expect(bench.relays.count == chunks)
            _ = try await bench.move(.old).cancel(bench.old)
            #expect(bench.relays.count == 0)
        }
    }

    @Test("A relay that is gone does not keep a move from being finished or cancelled; what it has expires")
    func deadRelay() async throws {
        for finishes in [true, false] {
            let bench = try MoveBench()
            let sent = try await bench.send()
            bench.relays.reachable(false)
            if finishes {
                let report = try await bench.move(.old).finish(bench.old, words: sent.words)
                #expect(report.chunksLeft > 0)
                #expect(try RetiredMark.isThere(bench.old, fileSystem: FileSystem()))
            } else {
                #expect(try await bench.move(.old).cancel(bench.old).chunksLeft > 0)
                #expect(try !RetiredMark.isThere(bench.old, fileSystem: FileSystem()))
            }
        }
    }

    @Test("A relay that goes in the middle leaves what was sent, and the next run sends the rest")
    func relayGone() async throws {
        let bench = try MoveBench()
        bench.relays.beforeUpload { number in if number >= 1 { bench.relays.reachable(false) } }
        await #expect(throws: FileTransferError.self) { try await bench.send() }
        #expect(try bench.move(.old).moves().map(\.state) == ["uploadFailed"])
        #expect(try bench.move(.old).moves().first?.reason != nil)
        bench.relays.reachable(true)
        bench.relays.beforeUpload(nil)
        let sent = try await bench.send()
        bench.relays.beforeDownload { number in if number >= 2 { bench.relays.reachable(false) } }
        await #expect(throws: FileTransferError.self) { try await bench.receive(sent.source) }
        #expect(try bench.move(.new).moves().map(\.state) == ["downloadFailed"])
        bench.relays.reachable(true)
        bench.relays.beforeDownload(nil)
        #expect(try await bench.receive(sent.source).words == sent.words)
    }

}
