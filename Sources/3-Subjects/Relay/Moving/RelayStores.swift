/// What a relay keeps its chunks in, for whoever moves or checks it: records, and the bytes that they are of.
package struct RelayStores: Sendable {
    /// What embedded records are opened for. A database is opened in one way for all.
    package enum Use: Sendable {
        /// Reading. A relay may run.
        case reading
        /// Reading, and repairs. No relay may run.
        case readingAlone
        /// Changes. No relay may run.
        case changing
        /// Taking over records of chunks that stay where they are.
        case takingOver
    }

    package let records: any ChunkRecords
    package let bytes: any ChunkBytes
    private let closing: @Sendable () throws -> Void

    /// - Parameters:
    ///   - records: of the chunks.
    ///   - bytes: the bodies that the records name.
    ///   - close: gives back what both have open; nil for what the records do when they are closed.
    package init(
        _ records: any ChunkRecords, _ bytes: any ChunkBytes, close: (@Sendable () throws -> Void)? = nil
    ) {
        self.records = records
        self.bytes = bytes
        closing = close ?? { try records.close() }
    }

    /// Gives back files, locks and connections.
    /// - Throws: ``XFTPStoreError``. They are closed all the same.
    package func close() throws { try closing() }
}
