import Foundation
import NIOCore
import Synchronization
import Testing
import ValiseCryptography
import ValiseTLS

/// Both ends are ours, on sockets of this machine.
@Suite(.timeLimit(.minutes(5)))
struct LoopbackTests {
    @Test func `one direction ends while the other goes on`() async throws {
        let identity = try TestIdentity(.ed448)
        let server = try await Loopback.serve(identity.server(), Loopback.Behaviour(halfCloses: true))
        let client = try await Loopback.connect(identity.client(), port: server.port, halfClosure: true)
        _ = try await client.handshake.get()
        let sent = ByteBuffer(repeating: 3, count: 5 << 20)
        client.channel.write(sent, promise: nil)
        // The server sends back the last of it after this.
        try await client.channel.close(mode: .output)
        try await client.end()
        let connection = try await server.first.get()
        try await connection.end()
        #expect(client.received == sent)
        #expect(client.kinds.isEmpty && connection.kinds.isEmpty)
        #expect(connection.collector.outcome.withLock { $0.inputClosed })
        let sessions = (try await client.handshake.get(), try await connection.handshake.get())
        #expect(sessions.0.sessionID == sessions.1.sessionID)
        try await server.close()
    }

    @Test func `two hundred connections at once have sessions of their own`() async throws {
        let identity = try TestIdentity(.ed25519)
        let server = try await Loopback.serve(identity.server())
        let sessions = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let client = try await Loopback.connect(identity.client(), port: server.port)
                    let session = try await client.handshake.get().sessionID
                    try await client.channel.writeAndFlush(ByteBuffer(bytes: session))
                    while client.received.readableBytes < session.count, client.channel.isActive {
                        try await Task.sleep(for: .milliseconds(2))
                    }
                    #expect(Array(client.received.readableBytesView) == session)
                    try? await client.channel.close()
                    return session
                }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { _ = $0.insert($1) }
        }
        #expect(sessions.count == 200)
        try await server.close()
    }

    /// Prints a figure: one direction, one connection, both ends in this process on a thread each.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["VALISE_SOAK"] != nil, "a long one"))
    func throughput() async throws {
        let identity = try TestIdentity(.ed25519)
        let server = try await Loopback.serve(
            identity.server(), Loopback.Behaviour(echoes: false, keeps: false))
        let client = try await Loopback.connect(identity.client(), port: server.port)
        _ = try await client.handshake.get()
        let piece = ByteBuffer(repeating: 3, count: 256 << 10)
        let count = 2048
        let (watch, processor) = (ContinuousClock(), clock())
        let time = try await watch.measure {
            for _ in 0..<count / 4 {
                for _ in 0..<3 { client.channel.write(piece, promise: nil) }
                try await client.channel.writeAndFlush(piece)
            }
            try? await client.channel.close()
            try await server.first.get().end()
        }
        let used = Double(clock() - processor) / Double(CLOCKS_PER_SEC)
        let megabytes = Double(count * piece.readableBytes) / 1e6
        #expect(
            try await server.first.get().collector.outcome.withLock { $0.count } == count
                * piece.readableBytes)
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
        print(
            "one way: \(Int(megabytes / seconds)) MB/s, \(Int(used / megabytes * 1e6)) ms of both processors per GB"
        )
        try await server.close()
    }

    /// Prints a figure: what an idle connection holds, both ends together.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["VALISE_SOAK"] != nil, "a long one"))
    func `memory of idle connections`() async throws {
        let identity = try TestIdentity(.ed25519)
        let server = try await Loopback.serve(identity.server(), Loopback.Behaviour(keeps: false))
        var clients: [Loopback.Connection] = []
        var before = 0
        for index in 0..<600 {
            // The first ones fill what is made once.
            if index == 100 { before = try Self.residentBytes() }
            let client = try await Loopback.connect(identity.client(), port: server.port, keeps: false)
            _ = try await client.handshake.get()
            try await client.channel.writeAndFlush(ByteBuffer(repeating: 1, count: 50_000))
            clients.append(client)
        }
        try await Task.sleep(for: .milliseconds(500))
        let each = (try Self.residentBytes() - before) / 500
        print("an idle connection: \(each / 1024) KiB for both ends")
        #expect(each < 200 << 10)
        for client in clients { try? await client.channel.close() }
        try await server.close()
    }

    private static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(Int(text.split(separator: " ")[1])) * 4096
    }
}
