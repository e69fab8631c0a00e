import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPWire

@Suite struct DownloadTests {
    private static let content = TransferBench.bytes(700_000, seed: 7)

    /// A file on relays in memory.
    private static func sent(
        _ bench: TransferBench, _ content: [UInt8] = content, name: String = "source.bin",
        options: UploadOptions = .to { $0.redirect = .never }
    ) async throws -> (FakeRelays, [FileReference]) {
        let relays = FakeRelays()
        var options = options
        options.name = name
        let sent = try await bench.transfers(relays).uploadStandaloneFile(bench.file(content), options)
        return (relays, try sent.references())
    }

    // MARK: Places

    @Test(
        "A name that is taken gets a number in a folder, and is refused as a file unless it may be replaced")
    func names() async throws {
        let bench = try TransferBench()
        let (relays, references) = try await Self.sent(bench, name: "a.tar.gz")
        let transfers = bench.transfers(relays)
        for expected in ["a.tar.gz", "a.tar_1.gz", "a.tar_2.gz"] {
            let file = try await transfers.downloadStandaloneFile(
                references, to: .folder(bench.inbox), .all())
            #expect(file.path.lastComponent?.string == expected)
        }
        let path = bench.inbox.appending("a.tar.gz")
        try FileSystem().replace(path, with: [0, 9])
        let before = relays.operations
        let error = await #expect(throws: FileError.self) {
            try await transfers.downloadStandaloneFile(references, to: .file(path), .all())
        }
        #expect(error?.code == .alreadyExists)
        #expect(relays.operations == before)
        #expect(try bench.holds(path, [0, 9]))
        _ = try await transfers.downloadStandaloneFile(
            references, to: .file(path), .all { $0.replacing = true })
        #expect(try bench.holds(path, Self.content))
    }

    @Test("Neither a folder, a link nor a missing folder is written to")
    func places() async throws {
        let bench = try TransferBench()
        let (relays, references) = try await Self.sent(bench)
        let target = bench.inbox.appending("target")
        try FileSystem().makeDirectory(target)
        for place in [DownloadTarget.file(target), .folder(bench.folder.appending("missing"))] {
            await #expect(throws: FileError.self) {
                try await bench.transfers(relays).downloadStandaloneFile(
                    references, to: place, .all { $0.replacing = true })
            }
        }
        #expect(relays.count(.download) == 0)
    }

    @Test("A key whose folder is missing or not to be written to is refused before anything is asked for")
    func keyPlaces() async throws {
        let bench = try TransferBench()
        let (relays, references) = try await Self.sent(bench)
        try FileSystem().replace(bench.folder.appending("file"), with: [])
        for (folder, code) in [("missing", FailureCode.notFound), ("file", .unsupported)] {
            let error = await #expect(throws: FileError.self) {
                try await bench.transfers(relays).downloadStandaloneFile(
                    references, to: .folder(bench.inbox),
                    .all { $0.keyOutput = bench.folder.appending(folder).appending("key") })
            }
            #expect(error?.code == code && error?.path.lastComponent?.string == folder)
        }
        #expect(relays.count(.download) == 0)
        #expect(try bench.received.isEmpty)
    }

    @Test("A file does not get the name that its key has until it is whole")
    func partialKey() async throws {
        let bench = try TransferBench()
        let (relays, references) = try await Self.sent(bench)
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(relays).downloadStandaloneFile(
                references, to: .file(bench.inbox.appending("key.partial")),
                .all { $0.keyOutput = bench.inbox.appending("key") })
        }
        #expect(error?.code == .invalid)
        #expect(relays.count(.download) == 0)
    }

    @Test("A file and its key do not get one name, by whichever way it is written")
    func oneName() async throws {
        let bench = try TransferBench()
        let (relays, references) = try await Self.sent(bench)
        let target = bench.inbox.appending("x")
        for key in [target, bench.folder.path.pushing("inbox/../inbox/./x")] {
            let error = await #expect(throws: FileTransferError.self) {
                try await bench.transfers(relays).downloadStandaloneFile(
                    references, to: .file(target),
                    .all {
                        $0.keyOutput = key
                        $0.replacing = true
                    })
            }
            #expect(error?.code == .invalid)
        }
        #expect(try bench.received.isEmpty)
        #expect(relays.count(.download) == 0)
    }

    @Test(
        "A hostile name stays a usual file in the folder",
        arguments: [
            "../../etc/passwd", "..", ".", "", "/", "a/b\\c", "\u{202e}txt.exe", "con.txt", "a\u{0}b\nc",
            ".bashrc",
            "  x  . ", String(repeating: "ü", count: 127), "C:\\x:y", "name.",
        ])
    func hostileNames(name: String) async throws {
        let bench = try TransferBench()
        let (relays, references) = try await Self.sent(bench, [1, 2, 3], name: name)
        let file = try await bench.transfers(relays).downloadStandaloneFile(
            references, to: .folder(bench.inbox), .all())
        #expect(file.name == name)
        #expect(try bench.received == [try #require(file.path.lastComponent?.string)])
        #expect(try bench.contents(file.path) == [1, 2, 3])
    }

    // MARK: Approval

    @Test("Unknown relays are named before any of them is asked")
    func approval() async throws {
        let bench = try TransferBench()
        let places = [TransferBench.relay(1), TransferBench.relay(2)]
        let (relays, references) = try await Self.sent(bench, options: .to(places) { $0.redirect = .never })
        let before = relays.operations
        let asked = Mutex<[[XFTPAddress]]>([])
        for question in [
            nil,
            { @Sendable (unknown: [XFTPAddress]) in
                asked.withLock { $0.append(unknown) }
                return false
            } as RelayApproval.Question?,
        ] {
            let approval = RelayApproval(known: [places[0].address], ask: question)
            let error = await #expect(throws: FileTransferError.self) {
                try await bench.transfers(relays).downloadStandaloneFile(
                    references, to: .folder(bench.inbox), DownloadOptions(approval: approval))
            }
            #expect(error?.kind == .fileNotApproved(unknownServers: [places[1].address]))
        }
        #expect(asked.withLock { $0 } == [[places[1].address]])
        #expect(relays.operations == before)
        #expect(try bench.received.isEmpty)
    }

    @Test("Whoever approves relays is asked once, and behind a redirect about those that are new")
    func approvalOnce() async throws {
        let places = [TransferBench.relay(1), TransferBench.relay(2), TransferBench.relay(3)]
        for (redirect, answers) in [
            (RedirectChoice.never, [[0, 1]]), (.always, [[2], [0, 1]]),
        ] {
            let bench = try TransferBench()
            // Two chunks, and perhaps the redirect, go to the relays in turn.
            let (relays, references) = try await Self.sent(
                bench, TransferBench.bytes(100_000), options: .to(places) { $0.redirect = redirect })
            let asked = Mutex<[[XFTPAddress]]>([])
            let approval = RelayApproval(known: []) { unknown in
                asked.withLock { $0.append(unknown) }
                return true
            }
            _ = try await bench.transfers(relays).downloadStandaloneFile(
                references, to: .folder(bench.inbox), DownloadOptions(approval: approval))
            let expected = answers.map { $0.map { places[$0].address } }
            #expect(asked.withLock { $0.map(Set.init) } == expected.map(Set.init))
        }
    }

    @Test("The relays behind a redirect are approved too")
    func approvalBehindRedirect() async throws {
        let bench = try TransferBench()
        let known = TransferBench.relay(1)
        // The first chunk and the redirect go to the relays in turn.
        let (relays, references) = try await Self.sent(
            bench, [1], options: .to([TransferBench.relay(2), known]) { $0.redirect = .always })
        #expect(references[0].description.relays == [known.address])
        let error = await #expect(throws: FileTransferError.self) {
            try await bench.transfers(relays).downloadStandaloneFile(
                references, to: .folder(bench.inbox),
                DownloadOptions(approval: RelayApproval(known: [known.address])))
        }
        #expect(error?.kind == .fileNotApproved(unknownServers: [TransferBench.relay(2).address]))
    }

    @Test("A known fingerprint with another host is unknown")
    func otherHost() async throws {
        let known = TransferBench.one.address
        var other = known
        other.hosts = [.domain("elsewhere.test")]
        var port = known
        port.port = 444
        var both = known
        both.hosts += other.hosts
        let bench = try TransferBench()
        for address in [other, port, both] {
            let (relays, references) = try await Self.sent(bench, [1], options: .to([RelayAccess(address)]))
            let error = await #expect(throws: FileTransferError.self) {
                try await bench.transfers(relays).downloadStandaloneFile(
                    references, to: .folder(bench.inbox),
                    DownloadOptions(approval: RelayApproval(known: [known])))
            }
            #expect(error?.kind == .fileNotApproved(unknownServers: [address]))
            try FileSystem().removeTree(bench.states)
        }
    }

    // MARK: Damage

    @Test("Nothing has a name, and no folder is left full, when a relay gives other bytes")
    func spoiled() async throws {
        let bench = try TransferBench()
        let (relays, references) = try await Self.sent(bench)
        relays.spoil { $0[$0.count / 2] ^= 1 }
        await #expect(throws: FileTransferError.self) {
            try await bench.transfers(relays).downloadStandaloneFile(
                references, to: .folder(bench.inbox), .all())
        }
        #expect(try bench.received.allSatisfy { $0.hasPrefix(".valise-receive-") })
    }

    @Test("A description whose digest, key or nonce is another's gives no file")
    func falseDescriptions() async throws {
        let bench = try TransferBench()
        let (relays, references) = try await Self.sent(bench)
        let genuine = references[0].description
        let changes: [(inout FileDescription) throws -> Void] = [
            { $0.digest[0] ^= 1 }, { $0.key = try SecretSeed() }, { $0.nonce[23] ^= 1 },
            { $0.chunks[0].digest[0] ^= 1 },
        ]
        for change in changes {
            var description = genuine
            try change(&description)
            let error = await #expect(throws: FileTransferError.self) {
                try await bench.transfers(relays).downloadStandaloneFile(
                    [FileReference(description)], to: .folder(bench.inbox), .all())
            }
            #expect(error?.kind == .damaged || error?.kind == .relays)
            #expect(try bench.received.allSatisfy { $0.hasPrefix(".valise-receive-") })
        }
        // And what the failures left does not disturb the true one.
        let file = try await bench.transfers(relays).downloadStandaloneFile(
            [FileReference(genuine)], to: .folder(bench.inbox), .all())
        #expect(try bench.holds(file.path, Self.content))
    }

    @Test("A replica that is damaged or gone gives way to the next")
    func replicas() async throws {
        let bench = try TransferBench()
        let (relays, references) = try await Self.sent(bench)
        var description = references[0].description
        for index in description.chunks.indices {
            let good = description.chunks[index].replicas[0]
            let gone = FileDescription.Replica(
                server: TransferBench.relay(9).address, id: good.id, key: try SecretSeed())
            description.chunks[index].replicas = [gone, good]
        }
        let file = try await bench.transfers(relays).downloadStandaloneFile(
            [FileReference(description)], to: .folder(bench.inbox), .all())
        #expect(try bench.holds(file.path, Self.content))
    }

    @Test("What relays do not keep any more, never got, or blocked, is told apart")
    func refusals() async throws {
        let cases: [(XFTPErrorCode, FileTransferError.Kind)] = [
            (.auth, .expired), (.noFile, .expired),
            (.blocked(BlockingInfo(.spam)), .blocked(BlockingInfo(.spam))),
            (.internal, .relays),
        ]
        for (code, kind) in cases {
            let bench = try TransferBench()
            let (sent, references) = try await Self.sent(bench)
            let relays = FakeRelays(after: sent) { _, _, _ in throw FakeRelays.Failure.refused(code) }
            let error = await #expect(throws: FileTransferError.self) {
                try await bench.transfers(relays).downloadStandaloneFile(
                    references, to: .folder(bench.inbox), .all())
            }
            #expect(error?.kind == kind)
            if kind == .expired { #expect(error?.code == .gone) }
        }
    }

    @Test("A sender's description, one that is too large, and chunks of strange sizes are refused unasked")
    func bounds() async throws {
        let bench = try TransferBench()
        let (relays, references) = try await Self.sent(bench)
        let before = relays.operations
        var sender = references[0].description
        sender.party = .sender
        var strange = references[0].description
        strange.chunks[0].size += 1
        strange.size += 1
        for (description, kind) in [
            (sender, FileTransferError.Kind.invalidLink), (strange, .invalidLink),
            (references[0].description, .tooLarge(size: references[0].description.size, limit: 1000)),
        ] {
            let error = await #expect(throws: FileTransferError.self) {
                try await bench.transfers(relays).downloadStandaloneFile(
                    [FileReference(description)], to: .folder(bench.inbox), .all { $0.largest = 1000 })
            }
            #expect(error?.kind == kind)
        }
        #expect(relays.operations == before)
    }

    @Test("What a failure says is kept is kept, and of a relay that gave nothing it says that")
    func wordsOfFailures() async throws {
        for (given, words) in [(0, "Nothing was received."), (1, "The received part is kept.")] {
            for failure in [FakeRelays.Failure.temporary, .refused(.noFile), .unusable] {
                let bench = try TransferBench()
                let (sent, references) = try await Self.sent(bench)
                let relays = FakeRelays(after: sent) { _, _, number in
                    if number >= given { throw failure }
                }
                let log = EventLog()
                let error = await #expect(throws: FileTransferError.self) {
                    try await bench.transfers(relays) { $0.parallelChunks = 1 }.downloadStandaloneFile(
                        references, to: .folder(bench.inbox), .all(), report: log.report)
                }
                #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
                #expect(try bench.received.count == given)
                // What is not tried again is told by the failure alone.
                let troubles = log.notes.count { if case .troubled = $0 { true } else { false } }
                #expect(troubles == (failure == .temporary ? 11 : 0))
            }
        }
    }

    @Test("A relay that answers again is told of")
    func answersAgain() async throws {
        let bench = try TransferBench()
        let (sent, references) = try await Self.sent(bench)
        let relays = FakeRelays(after: sent) { _, _, number in
            if number == 1 { throw FakeRelays.Failure.temporary }
        }
        let log = EventLog()
        _ = try await bench.transfers(relays) { $0.parallelChunks = 1 }.downloadStandaloneFile(
            references, to: .folder(bench.inbox), .all(), report: log.report)
        let states = log.notes.compactMap { event in
            switch event {
            case .connected: "connected"
            case .troubled: "troubled"
            default: nil
            }
        }
        #expect(states == ["connected", "troubled", "connected"])
    }

    // MARK: Encrypted where it lies

    @Test("Written as a CryptoFile, its content is never on disk, its key is beside it, and it decrypts")
    func cryptoFile() async throws {
        let bench = try TransferBench()
        let text = Array(String(repeating: "this is plain text. ", count: 40_000).utf8)
        let (sent, references) = try await Self.sent(bench, text, name: "secret.txt")
        try FileSystem().remove(bench.folder.appending("source.bin"))
        let seen = Mutex(false)
        let folder = bench.folder.path
        let relays = FakeRelays(after: sent) { _, _, _ in
            if (try? Self.holdsPlainText(folder)) ?? true { seen.withLock { $0 = true } }
        }
        let key = bench.folder.appending("key.json")
        let file = try await bench.transfers(relays).downloadStandaloneFile(
            references, to: .folder(bench.inbox), .all { $0.keyOutput = key })
        #expect(!seen.withLock { $0 })
        #expect(try !Self.holdsPlainText(folder))
        #expect(try FileSystem().attributes(of: file.path)?.size == Int64(text.count) + 16)
        let args = try #require(file.cryptoFile?.cryptoArgs)
        let output = bench.folder.appending("plain")
        try CryptoFileOperations().decrypt(
            CryptoFileInput(file.path), to: .file(output, replacing: false), args)
        #expect(try bench.holds(output, text))
        let json = try SecretBytes(copying: bench.contents(key))
        #expect(try CryptoFileArgs(text: json).equals(args))
        #expect(try FileSystem().attributes(of: key)?.permissions == .ownerReadWrite)
    }

    private static func holdsPlainText(_ folder: FilePath) throws -> Bool {
        let needle = Array("this is plain".utf8)
        for case (_, let content?) in try TemporaryFolder.contents(of: folder) {
            var index = content.startIndex
            while let start = content[index...].firstIndex(of: needle[0]) {
                if content[start...].starts(with: needle) { return true }
                index = start + 1
            }
        }
        return false
    }
}
