import NIOCore
import Testing
import ValiseFailures
import ValiseSecrets
import ValiseXFTPClient
import ValiseXFTPWire

/// Every command, against a relay that another program is.
@Suite(.enabled(if: PythonRelay.isAvailable, "needs python3"))
struct ClientCommandTests {
    @Test func `a chunk goes through its whole life`() async throws {
        let relay = try await PythonRelay()
        try await withConnection(to: relay.address) { connection in
            try await connection.ping()
            let chunk = try await TestChunk.created(on: connection, recipients: 2)
            try await chunk.upload(connection)
            #expect(try await chunk.comesBack(connection, 0))
            #expect(try await chunk.comesBack(connection, 1))

            let third = try SecretSeed()
            let added = try await connection.addRecipients(
                [third.publicKey], to: chunk.sender, key: chunk.senderKey)
            try await connection.acknowledge(chunk.recipients[0], key: chunk.recipientKeys[0])
            let forgotten = await failure { _ = try await chunk.download(connection, 0) }
            #expect(forgotten?.kind == .refused(.auth) && forgotten?.code == .gone)
            try await connection.download(
                added[0], key: third, size: chunk.content.count, digest: chunk.digest
            ) { _, _ in }

            try await connection.delete(chunk.sender, key: chunk.senderKey)
            let deleted = await failure { _ = try await chunk.download(connection, 1) }
            #expect(deleted?.code == .gone)
            #expect(connection.isUsable)
        }
        let log = relay.log
        #expect(log.contains { $0.hasPrefix("connection TLSv1.3 xftp/1 TLS_CHACHA20_POLY1305_SHA256") })
        #expect(log.contains("version 3") && !log.contains("empty data"))
        #expect(log.filter { $0.hasPrefix("reset") || $0.hasPrefix("violation") } == [])
    }

    /// A relay counts what is reset, and a busy one is late with the end of a refusal.
    @Test func `an answer that lacks its end alone is not reset`() async throws {
        let relay = try await PythonRelay(["late_end": 0.3])
        try await withConnection(to: relay.address) { connection in
            let chunk = try await TestChunk.created(on: connection)
            let early = await failure { _ = try await chunk.download(connection) }
            #expect(early?.kind == .refused(.noFile))
            try await relay.logged("answered FGET")
            try await connection.ping()
        }
        #expect(relay.resets == [])
    }

    @Test(arguments: [65_536, 262_144, 1_048_576, 4_194_304])
    func `chunks of every size come back as they were`(size: Int) async throws {
        let relay = try await PythonRelay()
        try await withConnection(to: relay.address) { connection in
            let chunk = try await TestChunk.stored(on: connection, size: size)
            #expect(try await chunk.comesBack(connection))
        }
    }

    @Test(arguments: [7, 1_000, 16_384, 65_535, 200_000])
    func `a body may be given in pieces of any size`(pieceSize: Int) async throws {
        let relay = try await PythonRelay()
        let size = pieceSize == 7 ? 65_536 : 262_144
        try await withConnection(to: relay.address) { connection in
            let chunk = try await TestChunk.created(on: connection, size: size)
            try await chunk.upload(connection, pieceSize: pieceSize)
            #expect(try await chunk.comesBack(connection))
        }
        #expect(!relay.log.contains("empty data"))
    }

    @Test func `requests of one connection overlap`() async throws {
        let relay = try await PythonRelay()
        try await withConnection(to: relay.address) { connection in
            try await withThrowingTaskGroup { group in
                for seed in 0..<12 {
                    group.addTask {
                        let chunk = try await TestChunk.stored(
                            on: connection, size: 262_144, seed: UInt64(seed))
                        #expect(try await chunk.comesBack(connection))
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(relay.log.count { $0.hasPrefix("connection") } == 1)
    }

    @Test func `a consumer that is slow holds the relay back, not the connection`() async throws {
        let relay = try await PythonRelay()
        var options = RelayConnectionOptions()
        // What the consumer takes for itself is not the relay's time.
        options.timeouts.body = .seconds(2)
        try await withConnection(to: relay.address, options) { connection in
            let chunk = try await TestChunk.stored(on: connection, size: 1_048_576)
            async let slow = chunk.download(connection, pause: .milliseconds(400))
            for _ in 0..<10 { try await connection.ping() }
            #expect(try await slow.elementsEqual(chunk.content))
        }
    }

    @Test func `a password is needed where the relay has one`() async throws {
        let relay = try await PythonRelay(["password": "open sesame"])
        try await withConnection(to: relay.address) { connection in
            let chunk = try TestChunk()
            _ = try await connection.create(chunk.newChunk(password: "open sesame"), key: chunk.senderKey)
            let error = await failure {
                _ = try await connection.create(chunk.newChunk(password: "wrong"), key: chunk.senderKey)
            }
            #expect(error?.kind == .refused(.auth) && error?.code == .denied)
            #expect(error?.message.contains("password") == true && error?.isTemporary == false)
        }
    }

    @Test func `the relay's errors say what they mean`() async throws {
        let relay = try await PythonRelay(["quota": 65_536])
        try await withConnection(to: relay.address) { connection in
            let first = try await TestChunk.stored(on: connection)
            let stranger = await failure {
                try await connection.delete(first.recipients[0], key: first.senderKey)
            }
            #expect(stranger?.code == .gone)
            let full = await failure { _ = try await TestChunk.stored(on: connection, seed: 2) }
            #expect(full?.kind == .refused(.quota) && full?.code == .noSpace)
        }
        try await withConnection(to: relay.address) { connection in
            let odd = await failure { _ = try await TestChunk.created(on: connection, size: 98_304) }
            #expect(odd?.kind == .refused(.size))
            let early = try await TestChunk.created(on: connection, seed: 3)
            let error = await failure { _ = try await early.download(connection) }
            #expect(error?.kind == .refused(.noFile) && error?.code == .gone)
        }
    }

    @Test func `a body that is not what was announced ends with the caller's own fault`() async throws {
        let relay = try await PythonRelay()
        let chunk = try await withConnection(to: relay.address) { try await TestChunk.created(on: $0) }
        func upload(_ body: (_ offset: Int) -> [UInt8]) async throws -> XFTPClientError? {
            // What was sent of a body that was given up may stay charged to its connection.
            try await withConnection(to: relay.address) { connection in
                await failure {
                    try await connection.upload(chunk.sender, key: chunk.senderKey, size: 65_536) { offset in
                        ByteBuffer(bytes: body(offset))
                    }
                }
            }
        }
        let short = try await upload { Array(chunk.content[$0..<min($0 + 20_000, 60_000)]) }
        #expect(short?.kind == .wrongBody)
        #expect(try await upload { _ in chunk.content + [0] }?.kind == .wrongBody)
        let other = try await upload { _ in Array(repeating: 0, count: 65_536) }
        #expect(other?.kind == .refused(.digest) && other?.code == .damaged)
        try await withConnection(to: relay.address) { connection in
            try await chunk.upload(connection)
            #expect(try await chunk.comesBack(connection))
        }
    }
}
