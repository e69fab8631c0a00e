package import ValiseDatabase

/// What the chat database says of the files that should be here. All rows are read at once, so that the database need not be
/// open while files are looked for, which takes longer.
package struct MediaRows: Sendable, Equatable {
    struct File: Sendable, Equatable {
        let path: String
        /// In bytes, as it should be.
        let size: Int64
        let isEncrypted: Bool
    }

    private(set) var files: [File] = []
    /// How many rows are not as their schema says. A check and an audit tell what is wrong with them.
    package private(set) var damaged = 0

    /// - Parameters:
    ///   - connection: to the chat database.
    ///   - checkpoint: called for each row; throw to stop.
    /// - Returns: nil where the database has no table of files.
    /// - Throws: `DatabaseError`; whatever `checkpoint` throws.
    package init?(_ connection: borrowing Connection, checkpoint: () throws -> Void = {}) throws {
        guard let table = try MediaTable(connection) else { return nil }
        var damaged = 0
        var files: [File] = []
        try table.forEach(connection, damaged: { _ in damaged += 1 }) { reference in
            try checkpoint()
            guard reference.shouldBeHere else { return }
            files.append(
                File(
                    path: reference.filePath, size: reference.expectedSize,
                    isEncrypted: reference.keys == .complete))
        }
        self.damaged = damaged
        self.files = files
    }
}
