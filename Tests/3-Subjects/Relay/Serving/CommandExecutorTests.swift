import FaultInjection
import Synchronization
import Testing
import ValiseCryptography
import ValiseTLS

@testable import ValiseRelay
@testable import ValiseXFTPWire

/// What a client could learn from how much work its command is (XFTP fact sheet, §12, trap 13).
struct CommandExecutorTests {
    /// The keys that were tried: nil for the one that nobody has.
    private final class Verifications: Sendable {
        private let keys = Mutex<[PublicKey?]>([])
        func note(_ key: PublicKey?) { keys.withLock { $0.append(key) } }
        func take() -> [PublicKey?] {
            keys.withLock { keys in
                defer { keys = [] }
                return keys
            }
        }
    }

    private static func key(_ number: UInt8) -> PublicKey {
        PublicKey(.ed25519, [UInt8](repeating: number, count: 32))
    }

    private static let commands: [(XFTPCommand, byRecipient: Bool)] = [
        (.addRecipients([key(3)]), false), (.upload, false), (.delete, false),
        (.download(PublicKey(.x25519, [UInt8](repeating: 9, count: 32))), true), (.acknowledge, true),
    ]

    @Test func `unknown names cost a signature as known ones do, blocked ones none`() throws {
        let folder = try TemporaryFolder("valise-relay", inMemory: true)
        let store = try ChunkStore(ChunkStoreSettings(folder: folder.appending("files"), log: nil))
        let verifications = Verifications()
        var executor = CommandExecutor(store: store, acceptsNewFiles: true, password: nil)
        executor.verify = { session, request, key in
            verifications.note(key)
            return session.verify(request, key: key)
        }
        let tls = try RunningRelay.identity(.ed25519)
        // Without a handshake.
        var session = RelaySession(
            try RelayIdentity(tls.chain, key: tls.key), sessionID: [1], mode: .legacy)
        func answer(_ command: XFTPCommand, _ name: [UInt8]) throws -> XFTPErrorCode? {
            var transmission = try Transmission(sessionID: [1], entityID: name, payload: command.encoded)
            transmission.authenticator = [UInt8](repeating: 7, count: 64)
            let action = try session.receive(.init(head: try transmission.encodedBlock()))
            guard case .command(let request) = action,
                case .answer(.error(let error)) = executor.execute(request, in: session)
            else { return nil }
            return error
        }
        let (sender, recipients) = try store.create(
            senderKey: Self.key(1), size: 65_536, digest: [UInt8](repeating: 0, count: 32),
            recipients: [Self.key(2)])
        for (command, byRecipient) in Self.commands {
            let (name, other) = byRecipient ? (recipients[0], sender) : (sender, recipients[0])
            for unknown in [[UInt8](repeating: 0, count: 16), [5], other.bytes] {
                #expect(try answer(command, unknown) == .auth)
                #expect(verifications.take() == [nil], "\(command.name)")
            }
            #expect(try answer(command, name.bytes) == .auth)
            #expect(verifications.take() == [Self.key(byRecipient ? 2 : 1)], "\(command.name)")
        }
        let chunk = NewChunk(
            senderKey: Self.key(4), size: 65_536, digest: [UInt8](repeating: 0, count: 32),
            recipientKeys: [Self.key(5)], password: nil)
        #expect(try answer(.create(chunk), []) == .auth)
        #expect(verifications.take() == [Self.key(4)])
        try store.block(recipients[0], BlockingInfo(.spam))
        for (command, byRecipient) in Self.commands {
            let name = byRecipient ? recipients[0] : sender
            #expect(try answer(command, name.bytes) == .blocked(BlockingInfo(.spam)))
            #expect(verifications.take().isEmpty)
        }
    }
}
