import ValiseConcurrency
import ValiseXFTPWire

/// Tells relays that this recipient has chunks, side by side, and within a time: the file is there already.
struct Acknowledgement: Sendable {
    let relays: any ChunkRelays
    let settings: TransferSettings
    let report: EventHandler

    /// Requests without content, of which many fit into a connection.
    private static let parallelRequests = 16

    /// What relays are not told in time expires there.
    func run(_ chunks: [FileDescription.Chunk]) async {
        let missed = await missed(chunks)
        if missed > 0 { report(.note(TransferNote.warning(.notAcknowledged(chunks: missed)))) }
    }

    private func missed(_ chunks: [FileDescription.Chunk]) async -> Int {
        let patience = RelayPatience()
        return await withTaskGroup(of: Bool?.self) { group in
            group.addTask {
                try? await Task.sleep(for: settings.acknowledgementTime)
                return nil
            }
            var rest = chunks[...]
            for chunk in rest.prefix(Self.parallelRequests) {
                group.addTask { await acknowledge(chunk, patience) }
            }
            rest = rest.dropFirst(Self.parallelRequests)
            var (answers, missed) = (0, chunks.count)
            while answers < chunks.count, case .some(.some(let isKnown)) = await group.next() {
                answers += 1
                if isKnown { missed -= 1 }
                if let chunk = rest.popFirst() { group.addTask { await acknowledge(chunk, patience) } }
            }
            // Time is over, or nothing is left.
            group.cancelAll()
            return missed
        }
    }

    /// - Returns: whether all relays of the chunk know.
    private func acknowledge(_ chunk: FileDescription.Chunk, _ patience: RelayPatience) async -> Bool {
        var isKnown = true
        for replica in chunk.replicas {
            guard !Task.isCancelled, patience.end(of: replica.server) == nil else {
                isKnown = false
                continue
            }
            let began = patience.begin(replica.server)
            do {
                try await relays.acknowledge(replica.id, key: replica.key, at: replica.server)
                patience.answered(replica.server)
            } catch {
                let trouble = relays.trouble(error)
                if trouble.mayPass { patience.failed(replica.server, began: began, error) }
                // What it does not know it will not hand out.
                if trouble != .refused(.auth) { isKnown = false }
            }
        }
        return isKnown
    }
}
