import Synchronization
import ValiseConcurrency

/// Whether the content of a body is what was announced.
enum ContentVerdict: Sendable {
    case intact
    /// It has another digest, is shorter, or cannot be read.
    case damaged

    /// Reads bodies, several at a time.
    /// - Parameter report: called now and then; throws to stop.
    /// - Returns: one for each, in their order.
    /// - Throws: ``XFTPStoreError`` where they are out of reach.
    static func of(
        _ bodies: [ExpectedBody], _ stores: RelayStores, threads: Int, _ report: (Int) throws -> Void
    ) throws -> [ContentVerdict] {
        if bodies.isEmpty { return [] }
        let verdicts = Mutex([ContentVerdict](repeating: .damaged, count: bodies.count))
        try ParallelBatches.run(
            count: bodies.count, workers: threads, makeWorker: {},
            work: { _, number in
                if try isIntact(bodies[number].body, bodies[number].digest, stores.bytes) {
                    verdicts.withLock { $0[number] = .intact }
                }
            }, report: report)
        return verdicts.withLock { $0 }
    }

    /// Whether a body is here, can be read and has its digest.
    /// - Throws: ``XFTPStoreError`` where it is out of reach.
    static func isIntact(_ body: StoredBody, _ digest: [UInt8], _ bytes: any ChunkBytes) throws -> Bool {
        do {
            return try bytes.has(body, digest: digest)
        } catch {
            let failure = XFTPStoreError(error)
            guard failure.kind == .general else { throw failure }
            return false
        }
    }
}

extension ChunkRecords {
    /// Whether these records say at this moment that a body is here.
    /// - Parameters:
    ///   - body: by its name.
    ///   - recipient: of its chunk, by whom it is found quickly; nil where none is known.
    /// - Throws: ``XFTPStoreError``.
    func names(_ body: BodyName, recipient: StoredID?) throws -> Bool {
        if let recipient, let known = try? self.body(ofRecipient: recipient), known.name == body {
            return true
        }
        // One that is treated as unknown may have a body all the same; its status does not change while a relay runs.
        if recipient == nil, try sender(body.chunk)?.isUploaded != true { return false }
        var isNamed = false
        try forEach(after: body.chunk.predecessor) { chunk in
            isNamed = chunk.chunk.id == body.chunk && chunk.body?.name == body
            return false
        }
        return isNamed
    }
}
