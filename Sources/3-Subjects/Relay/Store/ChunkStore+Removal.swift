package import ValiseXFTPWire

extension ChunkStore {
    /// Removes a chunk with all its names (`FDEL`).
    /// - Throws: ``XFTPStoreError``, answers `AUTH`, `BLOCKED`, `FILE_IO`; delete again then.
    package func delete(_ sender: EntityID) throws {
        try remove(.bySender(try Self.known(sender)), as: .deleted)
    }

    /// Removes the chunk of a recipient, for the operator; a blocked one too.
    /// - Throws: ``XFTPStoreError``: `notFound`; failures of the disk.
    package func deleteByRecipient(_ recipient: EntityID) throws {
        try remove(.byOperator(recipient: try Self.known(recipient)), as: .deleted)
    }

    /// Removes the body of a recipient's chunk, for the operator. Every command for the chunk gets this answer from now
    /// on.
    /// - Throws: ``XFTPStoreError``: `notFound`; failures of the disk.
    package func block(_ recipient: EntityID, _ information: BlockingInfo) throws {
        try remove(.byOperator(recipient: try Self.known(recipient)), as: .blocked(information))
    }

    private func remove(_ target: RemovalTarget, as removal: ChunkRemoval) throws {
        try calling { try records.remove(target, as: removal) { try bytes.remove($0) } }
    }

    /// Removes what is older than the lifetime, and what interrupted uploads left, unless another process is at it. Others go on
    /// meanwhile.
    ///
    /// - Returns: how many chunks were removed.
    /// - Throws: ``XFTPStoreError``, the first failure, when all others were tried. What is left is tried the next time.
    package func expire() throws -> Int {
        let now = rules.clock()
        var count = 0
        try calling {
            _ = try records.whileSweeping {
                count = try records.expire(before: now - rules.lifetime, at: now) { try bytes.remove($0) }
            }
        }
        return count
    }
}
