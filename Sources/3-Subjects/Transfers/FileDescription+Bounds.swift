import ValiseFailures
package import ValiseXFTPWire

extension FileDescription {
    /// Sees to it that what a stranger wrote can be received with bounded memory.
    ///
    /// - Parameter largest: in bytes as it travels.
    /// - Throws: ``FileTransferError``: `invalidLink`, `tooLarge`.
    func checkReceivable(largest: Int64) throws {
        do {
            try check(isFor: .recipient)
            try checkConsistency()
            try checkChunkSizes()
        } catch {
            throw FileTransferError(
                .invalidLink, error.code, error.message, cause: error, remedy: .askForNewLink)
        }
        guard size <= largest else { throw FileTransferError.tooLarge(size, limit: largest) }
    }

    /// All relays, each once, in the order of the chunks.
    package var relays: [XFTPAddress] {
        var seen: Set<XFTPAddress> = []
        return chunks.flatMap(\.replicas).map(\.server).filter { seen.insert($0).inserted }
    }

    /// Where each chunk begins in the encrypted file, in bytes.
    var offsets: [Int64] {
        var offset: Int64 = 0
        return chunks.map { chunk in
            defer { offset += chunk.size }
            return offset
        }
    }
}
