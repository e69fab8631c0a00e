extension TextIndex {
    /// Changes the texts, all or nothing.
    ///
    /// - Parameters:
    ///   - mark: what is noted of the state of the source.
    ///   - body: makes the changes; throw to take all of them back.
    /// - Throws: ``DatabaseError``; whatever `body` throws.
    package func change(mark: String, _ body: (TextIndexChange) throws -> Void) throws {
        try connection.transaction {
            let change = try TextIndexChange(self)
            try body(change)
            try change.finish()
            try connection.run("INSERT OR REPLACE INTO state VALUES ('mark', ?)", [.text(mark)])
        }
    }
}

/// A change of an index, within its transaction.
package final class TextIndexChange {
    private let index: TextIndex
    private let insertion: Statement
    private let deletion: Statement
    private let insertionWithoutText: Statement
    private let deletionWithoutText: Statement
    private let word: Statement
    private let lastWord: Int64
    private var added = 0
    private var hasRemoved = false

    /// From so many texts on their words are taken from the index itself, which takes a second for a million texts.
    private static let manyTexts = 2000

    fileprivate init(_ index: TextIndex) throws(DatabaseError) {
        self.index = index
        insertion = try index.connection.prepare("INSERT INTO texts(rowid, text) VALUES (?, ?)")
        deletion = try index.connection.prepare("DELETE FROM texts WHERE rowid = ?")
        insertionWithoutText = try index.connection.prepare("INSERT OR IGNORE INTO always VALUES (?)")
        deletionWithoutText = try index.connection.prepare("DELETE FROM always WHERE id = ?")
        word = try index.connection.prepare("INSERT OR IGNORE INTO words(word) VALUES (?)")
        lastWord = try index.connection.count("SELECT coalesce(max(id), 0) FROM words")
    }

    /// Adds the text of a row that the index does not have.
    /// - Throws: ``DatabaseError``.
    package func add(_ text: [UInt8], row: Int64) throws(DatabaseError) {
        try insertion.bind([.integer(row), .null])
        try insertion.bind(text: text, at: 1)
        _ = try insertion.step()
        insertion.reset()
        added += 1
        guard added <= Self.manyTexts else { return }
        for part in IndexWord.words(of: text) {
            word.reset()
            try word.bind(text: Array(part), at: 0)
            _ = try word.step()
        }
    }

    /// Adds a row that is found in each search.
    /// - Throws: ``DatabaseError``.
    package func addWithoutText(row: Int64) throws(DatabaseError) {
        try insertionWithoutText.run([.integer(row)])
    }

    /// Takes the text of a row away, which is added with another one then.
    /// - Throws: ``DatabaseError``.
    package func prepareReplacing(row: Int64) throws(DatabaseError) {
        try deletion.run([.integer(row)])
        try deletionWithoutText.run([.integer(row)])
    }

    /// Removes a row for good: nothing of its text stays, not even a word.
    /// - Throws: ``DatabaseError``.
    package func remove(row: Int64) throws(DatabaseError) {
        try prepareReplacing(row: row)
        hasRemoved = true
    }

    fileprivate func finish() throws(DatabaseError) {
        word.reset()
        // FTS5 only marks what was deleted, until it merges its parts.
        if hasRemoved { try index.connection.execute("INSERT INTO texts(texts) VALUES ('optimize')") }
        guard hasRemoved || added > Self.manyTexts else {
            return try index.connection.run(
                "INSERT INTO parts(rowid, word) SELECT id, word FROM words WHERE id > ?", [.integer(lastWord)]
            )
        }
        try index.connection.execute(
            """
            DELETE FROM words;
            INSERT INTO words(word) SELECT term FROM vocabulary;
            INSERT INTO parts(parts) VALUES ('rebuild');
            """)
    }
}
