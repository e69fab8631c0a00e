import Synchronization
import ValiseConcurrency
import ValiseFailures
import ValiseXFTPClient
import ValiseXFTPWire

/// Brings single chunks from relays: replicas in turn, then all of them again after a pause.
final class ChunkReceiving: Sendable {
    private let relays: any ChunkRelays
    private let settings: TransferSettings
    private let report: EventHandler
    /// Those that answered, and not with trouble since.
    private let used = Mutex<Set<XFTPAddress>>([])

    init(relays: any ChunkRelays, settings: TransferSettings, report: @escaping EventHandler) {
        self.relays = relays
        self.settings = settings
        self.report = report
    }

    /// Receives a chunk whose digest is that of the description.
    ///
    /// - Parameter kept: what a failure says of what was received before.
    /// - Throws: ``FileTransferError``; `CancellationError`.
    func receive(_ chunk: FileDescription.Chunk, into memory: ChunkMemory, kept: Kept) async throws {
        memory.resize(to: Int(chunk.size))
        var retries = TransferRetries(settings.retries)
        var attempt = 1
        while let (error, last) = try await tryReplicas(chunk, memory) {
            let trouble = relays.trouble(error)
            guard let pause = retries.pause(after: trouble) else {
                throw Self.failure(error, trouble, kept)
            }
            tellTrouble(last.relay, last.error)
            attempt += 1
            report(.note(TransferNote.retry(chunk: chunk.number, attempt: attempt, after: pause)))
            try await settings.sleep(pause)
        }
    }

    /// What a failure leaves.
    enum Kept: String {
        case nothing = "Nothing was received."
        case chunks = "The received part is kept."
    }

    private typealias Failing = (error: any Error, last: (relay: XFTPAddress, error: any Error))

    /// - Returns: nil for success, else the most hopeful of the failures, and the last, which nobody was told of.
    private func tryReplicas(_ chunk: FileDescription.Chunk, _ memory: ChunkMemory) async throws -> Failing? {
        var found: Failing?
        for replica in chunk.replicas {
            if let last = found?.last { tellTrouble(last.relay, last.error) }
            do {
                try Task.checkCancellation()
                try await relays.download(
                    replica.id, key: replica.key, digest: chunk.digest, into: memory, from: replica.server)
                if used.withLock({ $0.insert(replica.server).inserted }) {
                    report(.note(TransferNote.connected(replica.server)))
                }
                return nil
            } catch {
                try Task.checkCancellation()
                let best = found?.error
                let isBetter = best.map { relays.trouble($0).givesWay(to: relays.trouble(error)) } ?? true
                found = (isBetter ? error : best ?? error, (replica.server, error))
            }
        }
        return found
    }

    private func tellTrouble(_ relay: XFTPAddress, _ error: any Error) {
        used.withLock { _ = $0.remove(relay) }
        report(.note(TransferNote.troubled(relay, error)))
    }

    private static func failure(_ error: any Error, _ trouble: RelayProblem, _ kept: Kept) -> any Error {
        switch trouble {
        case .refused(.auth):
            // The relay's refusal says everything.
            FileTransferError(
                .expired, .gone, error.sentence, subject: (error as? any Failure)?.subject, cause: error,
                remedy: (error as? any Failure)?.remedy)
        case .refused(.noFile):
            FileTransferError(
                .expired, .gone,
                "a part of the file was never uploaded: the sender has not finished, or has stopped. "
                    + "\(kept.rawValue)", cause: error, remedy: .tryLater)
        case .refused(.blocked(let info)):
            FileTransferError(
                .blocked(info), .gone,
                "the relay operator blocked this file (\(info.reason.rawValue))", cause: error)
        case .fatal: error
        case .unusable:
            FileTransferError(
                .relays, (error as? any Failure)?.code ?? .failed,
                "cannot download a part of the file from any relay. \(kept.rawValue)", cause: error)
        case .temporary, .absent, .refused:
            FileTransferError(
                .relays, (error as? any Failure)?.code ?? .failed,
                "cannot download a part of the file from any relay. \(kept.rawValue)",
                cause: error, remedy: .tryLater)
        }
    }
}
