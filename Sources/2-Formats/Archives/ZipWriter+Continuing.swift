/// A file that an earlier writer did not complete.
extension ZipWriter {
    /// Writes all that was added.
    /// - Returns: where the next entry begins.
    /// - Throws: ``ZipError``; `FileError` of an earlier write.
    package func settle() throws -> Int64 {
        guard !isBroken else { throw Self.broken }
        try drain()
        return offset
    }

    /// Takes over an entry that the file has already. Everything that was added has to be settled, and
    /// ``continueBehindAdopted()`` follows before anything else is added.
    ///
    /// - Returns: false for an entry that does not lie right behind the others; nothing is taken over then.
    package func adopt(_ entry: ZipWrittenEntry) -> Bool {
        guard entry.offset == offset else { return false }
        directory += entry.record.centralHeader
        entries += 1
        offset = entry.end
        return true
    }

    /// Goes on behind the entries that were taken over. What the file has there is cut off.
    package func continueBehindAdopted() { file?.move(to: offset) }

    /// Makes the entries durable that are complete, while others are added. Does not wait, and does nothing for a stream.
    ///
    /// - Parameters:
    ///   - isLast: whether nothing is added any more.
    ///   - makeWork: gets how many bytes of the archive will be durable, and makes what is done on another thread once they
    ///     are; that is not done where something fails.
    package func flush(isLast: Bool = false, _ makeWork: (Int64) -> @Sendable () -> Void) {
        file?.flush(isLast: isLast, makeWork)
    }

    /// Writes what was added even of an entry that has no end, where nothing follows. What cannot be written is missing.
    package func handOnRest() { try? drain() }

    /// Waits for all that was handed on, and for what comes after a flush.
    package func wait() { file?.wait() }
}
