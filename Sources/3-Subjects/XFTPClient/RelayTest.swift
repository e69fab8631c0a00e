import NIOCore
import Synchronization
import ValiseCryptography
package import ValiseFailures
import ValiseSecrets
package import ValiseXFTPWire

/// Does with a relay all that a transfer needs, with a chunk of its own (XFTP fact sheet, §8.5).
package struct RelayTest: Sendable {
    /// What is done, in this order.
    package enum Step: String, Sendable, Codable, CaseIterable {
        case connect
        case create
        case upload
        case download
        case compare
        case delete
    }

    /// What did not work.
    package struct Failed: Failure {
        package let step: Step
        package let code: FailureCode
        package let message: String
        package let subject: String?
        package let cause: (any Error)?

        init(_ step: Step, _ error: any Error) {
            self.step = step
            let failure = error as? any Failure
            code = failure?.code ?? .failed
            message = "test failed at step '\(step.rawValue)': \(failure?.message ?? "\(error)")"
            subject = failure?.subject
            cause = error
        }
    }

    /// How long each step took.
    package struct Result: Sendable {
        package internal(set) var times: [(step: Step, time: Duration)] = []
    }

    /// Of the chunk, in bytes.
    static let size = 65_536

    let access: RelayAccess
    let options: RelayConnectionOptions

    package init(_ access: RelayAccess, _ options: RelayConnectionOptions = RelayConnectionOptions()) {
        self.access = access
        self.options = options
    }

    /// - Parameter willBegin: is told of each step.
    /// - Throws: ``Failed``; `CancellationError`.
    package func run(willBegin: @escaping @Sendable (Step) -> Void = { _ in }) async throws -> Result {
        var run = Run(willBegin: willBegin)
        let connection = try await run.step(.connect) {
            try await RelayConnection.connect(to: access.address, options)
        }
        do {
            try await exercise(connection, &run)
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
        return run.result
    }

    private func exercise(_ connection: RelayConnection, _ run: inout Run) async throws {
        let (sender, recipient) = (try SecretSeed(), try SecretSeed())
        let content = [UInt8].random(count: Self.size)
        let chunk = NewChunk(
            senderKey: PublicKey(.ed25519, Ed25519.publicKey(of: sender)), size: UInt32(Self.size),
            digest: SHA256.hash(content),
            recipientKeys: [PublicKey(.ed25519, Ed25519.publicKey(of: recipient))], password: access.password)
        let names = try await run.step(.create) { try await connection.create(chunk, key: sender) }
        do {
            try await transfer(content, chunk.digest, names, (sender, recipient), connection, &run)
        } catch {
            // What is left would go by itself in two days.
            try? await connection.delete(names.sender, key: sender)
            throw error
        }
        try await run.step(.delete) { try await connection.delete(names.sender, key: sender) }
    }

    private func transfer(
        _ content: [UInt8], _ digest: [UInt8], _ names: (sender: EntityID, recipients: [EntityID]),
        _ keys: (sender: SecretSeed, recipient: SecretSeed), _ connection: RelayConnection, _ run: inout Run
    ) async throws {
        try await run.step(.upload) {
            try await connection.upload(names.sender, key: keys.sender, size: Self.size) { offset in
                ByteBuffer(bytes: content[offset...])
            }
        }
        var received: [UInt8] = []
        try await run.step(.download) {
            try await connection.download(
                names.recipients[0], key: keys.recipient, size: Self.size, digest: digest
            ) { piece, _ in received += piece.readableBytesView }
        }
        try await run.step(.compare) {
            guard received == content else {
                throw XFTPClientError(
                    .damagedChunk, "the relay returned different data than it was sent",
                    relay: connection.relay)
            }
        }
    }

    private struct Run {
        let willBegin: @Sendable (Step) -> Void
        var result = Result()

        mutating func step<Value>(
            _ step: Step, _ body: () async throws -> Value
        ) async throws -> Value {
            willBegin(step)
            let start = ContinuousClock.now
            do {
                let value = try await body()
                result.times.append((step, ContinuousClock.now - start))
                return value
            } catch let error as CancellationError {
                throw error
            } catch {
                throw Failed(step, error)
            }
        }
    }
}

extension [UInt8] {
    fileprivate static func random(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count / 8).flatMap { _ in Swift.withUnsafeBytes(of: generator.next(), Array.init) }
    }
}
