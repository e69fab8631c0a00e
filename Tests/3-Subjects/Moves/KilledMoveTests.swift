import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFailures
import ValiseFiles
import ValiseMoves
import ValiseTransfers

/// A run is stopped where it has entered a state, as a kill would, and others go on.
@Suite struct KilledMoveTests {
    static let sending: [SendingState.Name] = [
        .chatStopInProgress, .passphraseConfirmation, .uploadConfirmation, .archiving, .uploadProgress,
        .linkCreation, .linkShown,
    ]
    static let receiving: [ReceivingState.Name] = [
        .linkDownloading, .downloadProgress, .archiveVerification, .passphrase, .archiveImport,
        .migrationConfirmation, .networkSettings, .verified, .finished,
    ]

    private func killed(
        _ bench: MoveBench, _ machine: MoveBench.Machine, in state: String
    ) -> AccountMove {
        bench.move(machine) { step in
            let name =
                switch step {
                case .sending(let state): state.name.rawValue
                case .receiving(let state): state.name.rawValue
                }
            if name == state { throw Killed() }
        }
    }

    @Test("Killed in any state, the sending side goes on, and sends no chunk twice", arguments: sending)
    func send(state: SendingState.Name) async throws {
        let bench = try MoveBench()
        let before = try MoveBench.contents(bench.old)
        // The first time no state is entered that is there when the record is made.
        let isFirst = state == .chatStopInProgress
        if isFirst {
            await #expect(throws: Killed.self) {
                try await bench.send(killed(bench, .old, in: "passphraseConfirmation"))
            }
        }
        await #expect(throws: Killed.self) { try await bench.send(killed(bench, .old, in: state.rawValue)) }
        #expect(try bench.move(.old).moves().map(\.state) == [state.rawValue])
        let uploads = bench.relays.uploads
        let sent = try await bench.send()
        if [.linkCreation, .linkShown].contains(state) { #expect(bench.relays.uploads == uploads) }
        #expect(try MoveBench.contents(bench.old) == before)
        let received = try await bench.receive(sent.source)
        #expect(received.words == sent.words)
        _ = try await bench.move(.old).finish(bench.old, words: received.words)
        #expect(bench.relays.count == 0)
    }

    @Test(
        "Killed in any state, the sending side is cancelled: no chunk stays, and the source is as it was",
        arguments: sending)
    func cancelSend(state: SendingState.Name) async throws {
        let bench = try MoveBench()
        let before = try MoveBench.contents(bench.old)
        if state != .chatStopInProgress {
            await #expect(throws: Killed.self) {
                try await bench.send(killed(bench, .old, in: state.rawValue))
            }
        } else {
            await #expect(throws: Killed.self) {
                try await bench.send(killed(bench, .old, in: "passphraseConfirmation"))
            }
            await #expect(throws: Killed.self) {
                try await bench.send(killed(bench, .old, in: state.rawValue))
            }
        }
        for stop in ["cancelling", "cancelled"] {
            await #expect(throws: Killed.self) {
                _ = try await killed(bench, .old, in: stop).cancel(bench.old)
            }
        }
        #expect(try await bench.move(.old).cancel(bench.old).side == .sending)
        #expect(bench.relays.count == 0)
        #expect(try bench.move(.old).moves().isEmpty)
        #expect(try bench.remains(.old).isEmpty)
        #expect(try MoveBench.contents(bench.old) == before)
        let error = await #expect(throws: DeviceMigrationError.self) {
            try await bench.move(.old).cancel(bench.old)
        }
        #expect(error?.kind == .noMove)
        // And a new one begins.
        _ = try await bench.send()
    }

    @Test(
        "Killed in any state, the receiving side goes on without its link, and receives no chunk twice",
        arguments: receiving)
    func receive(state: ReceivingState.Name) async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        await #expect(throws: Killed.self) {
            try await bench.receive(sent.source, killed(bench, .new, in: state.rawValue))
        }
        #expect(try bench.move(.new).moves().map(\.state) == [state.rawValue])
        let downloads = bench.relays.downloads
        let received = try await bench.receive(nil)
        if ![.linkDownloading, .downloadProgress].contains(state) {
            // The list of chunks at most, to confirm them.
            #expect(bench.relays.downloads <= downloads + 1)
        }
        #expect(received.words == sent.words)
        #expect(received.network == .taken)
        let areEqual = try bench.areEqual(agentOnly: true)
        #expect(areEqual)
        #expect(try FileSystem().list(bench.path).allSatisfy { $0.name?.hasPrefix(".move-") != true })
    }

    @Test(
        "Killed in any state, the receiving side is cancelled; an account in place stays, and that is said",
        arguments: receiving.dropLast())
    func cancelReceive(state: ReceivingState.Name) async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        await #expect(throws: Killed.self) {
            try await bench.receive(sent.source, killed(bench, .new, in: state.rawValue))
        }
        for stop in ["cancelling", "cancelled"] {
            await #expect(throws: Killed.self) {
                _ = try await killed(bench, .new, in: stop).cancel(bench.new)
            }
        }
        let report = try await bench.move(.new).cancel(bench.new)
        let isInPlace: Bool = [.migrationConfirmation, .networkSettings, .verified].contains(state)
        #expect(report.side == .receiving)
        #expect(report.accountStays == isInPlace)
        #expect(try FileSystem().exists(bench.new.path(of: .agent)) == isInPlace)
        #expect(try bench.remains(.new).isEmpty)
        #expect(try FileSystem().list(bench.path).allSatisfy { $0.name?.hasPrefix(".move-") != true })
    }

    @Test(
        "Killed where it finishes, the sending side finishes; and cannot be cancelled any more once the source is retired"
    )
    func finish() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        await #expect(throws: Killed.self) {
            _ = try await killed(bench, .old, in: "finishing").finish(bench.old, words: sent.words)
        }
        #expect(try !RetiredMark.isThere(bench.old, fileSystem: FileSystem()))
        await #expect(throws: Killed.self) {
            _ = try await killed(bench, .old, in: "finished").finish(
                bench.old, words: sent.words, removesSource: true)
        }
        #expect(try bench.move(.old).moves().map(\.state) == ["finished"])
        #expect(bench.relays.count == 0)
        // What was wanted of the killed run is done by the next.
        let report = try await bench.move(.old).finish(bench.old, words: sent.words, removesSource: true)
        #expect(report.source == .removed)
        #expect(try !FileSystem().exists(bench.old.path(of: .chat)))
    }

    @Test("Where the source was retired and nothing else done, only finishing is possible")
    func retiredOnly() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        await #expect(throws: Killed.self) {
            _ = try await killed(bench, .old, in: "finishing").finish(bench.old, words: sent.words)
        }
        try AccountRetirement(bench.old).retire(RetiredMark(moved: nil, words: nil, tool: nil))
        let error = await #expect(throws: DeviceMigrationError.self) {
            try await bench.move(.old).cancel(bench.old)
        }
        #expect(error?.kind == .wrongState)
        let report = try await bench.move(.old).finish(bench.old, words: sent.words)
        #expect(report.source == .retired)
        #expect(bench.relays.count == 0)
    }

    @Test(
        "Relays that were approved for a move need no approval again; a choice that was made for one run does"
    )
    func approvedRelays() async throws {
        for isApproved in [true, false] {
            let bench = try MoveBench()
            let sent = try await bench.send()
            await #expect(throws: Killed.self) {
                try await bench.receive(sent.source, killed(bench, .new, in: "downloadProgress")) {
                    $0.approvesRelays = isApproved
                }
            }
            if !isApproved {
                await #expect(throws: FileTransferError.self) {
                    try await bench.receive(nil) { $0.approval = RelayApproval(known: []) }
                }
                continue
            }
            let received = try await bench.receive(nil) { $0.approval = RelayApproval(known: []) }
            #expect(received.words == sent.words)
        }
    }

    @Test("A user who approved the relays of a move is not asked again by the run that confirms the receipt")
    func approvedRelaysOfReceipt() async throws {
        for state in ["passphrase", "migrationConfirmation", "proved"] {
            let bench = try MoveBench()
            let sent = try await bench.send()
            await #expect(throws: Killed.self) {
                try await bench.receive(sent.source, killed(bench, .new, in: state)) {
                    $0.approval = RelayApproval(known: []) { _ in true }
                }
            }
            let refusing = RelayApproval(known: []) { _ in
                Issue.record("asked again after a kill in \(state)")
                return false
            }
            _ = try await bench.receive(nil) { ($0.approval, $0.receiptApproval) = (refusing, refusing) }
            _ = try await bench.move(.old).finish(
                bench.old, words: sent.words, agree: { receipt in #expect(receipt == .confirmed) })
        }
    }

    @Test("Relays that nobody approved for a move are told of the receipt after a question of its own")
    func unapprovedRelaysOfReceipt() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        await #expect(throws: Killed.self) {
            try await bench.receive(sent.source, killed(bench, .new, in: "passphrase"))
        }
        _ = try await bench.receive(nil) {
            $0.approval = RelayApproval(known: []) { _ in
                Issue.record("asked to receive")
                return false
            }
            $0.receiptApproval = RelayApproval(known: []) { _ in true }
        }
        _ = try await bench.move(.old).finish(
            bench.old, words: sent.words, agree: { receipt in #expect(receipt == .confirmed) })
    }

    @Test("While an account is sent anew, its end asks for the receipt of what was sent before")
    func receiptDuringRenewal() async throws {
        let bench = try MoveBench()
        let sent = try await bench.send()
        await #expect(throws: Killed.self) {
            try await killed(bench, .old, in: "archiving").renew(
                bench.old, passphrase: MoveBench.secret(), MoveBench.sendOptions)
        }
        await #expect(throws: Killed.self) {
            try await bench.move(.old).finish(
                bench.old, words: sent.words,
                agree: { receipt in
                    #expect(receipt == .unconfirmed)
                    throw Killed()
                })
        }
    }

    @Test("A second run of a move that is under way says so, on both sides")
    func twoRuns() async throws {
        let bench = try MoveBench()
        let sent = try await bench.move(.old).send(
            bench.old, passphrase: MoveBench.secret(), MoveBench.sendOptions,
            confirm: { _ in
                let error = await #expect(throws: DeviceMigrationError.self) { try await bench.send() }
                #expect(error?.kind == .moveInUse)
                let areRunning = try bench.move(.old).moves().map(\.isRunning)
                #expect(areRunning == [true])
                return true
            })
        var questions = MoveBench.questions()
        questions.confirm = { _ in
            let error = await #expect(throws: DeviceMigrationError.self) { try await bench.receive(nil) }
            #expect(error?.kind == .moveInUse)
            return true
        }
        _ = try await bench.receive(sent.source, asking: questions)
    }
}
