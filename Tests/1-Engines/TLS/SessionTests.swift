import Foundation
import NIOCore
import Synchronization
import TestPeers
import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseTLS

struct SessionTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let client: String
        let keyLog: [String]
        let sessionId: String
        var testDescription: String { name }
    }

    private static func vectors() throws -> [Vector] {
        struct File: Decodable { let vectors: [Vector] }
        let path = Repository.beside("Fixtures/session-ids.json")
        return try JSONDecoder().decode(File.self, from: Data(contentsOf: path)).vectors
    }

    /// Shows that the derivation which the next test relies on is that of the official relay.
    @Test func `recorded handshakes give the recorded sessions`() throws {
        let vectors = try Self.vectors()
        #expect(vectors.count == 4)
        for vector in vectors {
            let client = try #require(Hexadecimal.decode(vector.client))
            let session = try RecordedSession.sessionID(client: client, keyLog: vector.keyLog)
            #expect(Hexadecimal.encode(session) == vector.sessionId, "\(vector.name)")
        }
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `our session is the one that our bytes and the peer's log of keys give`(
        algorithm: SigningAlgorithm
    ) async throws {
        let (identity, files) = (try TestIdentity(algorithm), try PeerFiles())
        let stored = try files.store(identity)
        let peer = try PeerProcess(
            ["python3", PeerProcess.script, "server", stored.chain, stored.key, files.path("keys.log")])
        let port = try #require(Int(peer.line()))
        let tap = Loopback.Tap()
        let client = try await Loopback.connect(identity.client(), port: port, tap: tap)
        let completed = try await client.handshake.get()
        // The peer may have closed it first.
        try? await client.channel.close()
        _ = try peer.line()
        let log = String(decoding: try files.read("keys.log"), as: UTF8.self)
        let session = try RecordedSession.sessionID(
            client: tap.sent.withLock { $0 }, keyLog: log.split(separator: "\n").map(String.init))
        #expect(session == completed.sessionID)
    }
}
