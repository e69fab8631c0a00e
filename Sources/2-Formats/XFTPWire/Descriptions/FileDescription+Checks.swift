import ValiseEncoding
import ValiseFailures
import ValiseMediaRules

extension FileDescription {
    /// What any description has to fulfill (fact sheet, §7.3): at least one chunk, numbers without gaps, digests, sizes
    /// that sum up.
    /// - Throws: ``XFTPWireError``: `damaged`.
    package func checkConsistency() throws(XFTPWireError) {
        guard !chunks.isEmpty else { throw .description("no chunks") }
        guard chunks.count <= Self.mostChunks else { throw .description("too many chunks") }
        guard digest.count == 64, nonce.count == 24 else {
            throw .description("wrong digest or nonce length")
        }
        var sum: Int64 = 0
        for (index, chunk) in chunks.enumerated() {
            guard chunk.number == index + 1 else {
                throw .description("chunks are not numbered from 1 without gaps")
            }
            guard chunk.digest.count == 32, !chunk.replicas.isEmpty else {
                throw .description("chunk \(chunk.number) has no digest or no replica")
            }
            guard chunk.replicas.count <= Self.mostReplicas else {
                throw .description("chunk \(chunk.number) has more than \(Self.mostReplicas) replicas")
            }
            // The protocol has four bytes for it, so no sum of them overflows.
            guard (1...Int64(UInt32.max)).contains(chunk.size) else {
                throw .description("chunk \(chunk.number) has an invalid size")
            }
            sum += chunk.size
        }
        guard sum == size else {
            throw .description("the chunks have \(Count.text(sum, "byte")), but the file has \(size)")
        }
    }

    /// Whether all chunks have sizes that relays take.
    /// - Throws: ``XFTPWireError``: `unsupported`.
    package func checkChunkSizes() throws(XFTPWireError) {
        for chunk in chunks where ChunkSize(rawValue: chunk.size) == nil {
            throw XFTPWireError(
                .unsupported,
                "chunk \(chunk.number) has \(Count.text(chunk.size, "byte")), a size that "
                    + "relays do not accept")
        }
    }

    /// Whether the description is of the kind that is needed.
    /// - Throws: ``XFTPWireError``: `invalid`.
    package func check(isFor party: Party) throws(XFTPWireError) {
        guard party != self.party else { return }
        switch self.party {
        case .sender:
            throw XFTPWireError(
                .invalid,
                "this is the sender's description, for deleting the file. Receiving needs a recipient's."
            )
        case .recipient:
            throw XFTPWireError(
                .invalid, "this is a recipient's description. Deleting the file needs the sender's.")
        }
    }
}
