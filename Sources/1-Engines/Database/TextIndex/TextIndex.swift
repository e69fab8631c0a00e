package import SystemPackage
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// A full-text index of numbered texts, in a database of its own (Documentation/formats/search-index.md).
///
/// It finds any part of a text, not only words: SQLite's FTS5 has the words of texts, and once more the parts of these words. What
/// it gives may be more than what is asked for, and is never less.
///
/// For one thread; another one opens it once more.
package final class TextIndex {
    let connection: Connection

    /// Of the tables. An index of another version is made anew.
    private static let version: Int64 = 1

    /// Longer texts are not kept: their rows are found in each search. No message is that long.
    package static let longestText = 30_000

    /// Opens an index, or makes it, for its owner alone.
    ///
    /// - Parameters:
    ///   - path: the folder must be there.
    ///   - key: 32 bytes; empty for an index that is not encrypted.
    ///   - fileSystem: where it is.
    /// - Throws: `FileError`; ``DatabaseError``: `unsupported` where it is of another version, or the linked library has no FTS5;
    ///   as for any database with another key.
    package init(_ path: FilePath, key: borrowing SecretBytes, fileSystem: FileSystem = FileSystem()) throws {
        connection = try .own(
            path, key: key, version: Self.version, schema: Self.schema, name: "an index", fileSystem
        ) { connection in
            guard try connection.hasRow("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'") else {
                throw DatabaseError(
                    .unsupported, "the linked SQLCipher has no full-text search (FTS5)", file: path.string)
            }
        }
    }

    // The tokenizer `ascii` makes words of letters and digits of ASCII and of all other characters; texts come in small letters.
    private static let schema = """
        CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE always (id INTEGER PRIMARY KEY);
        CREATE VIRTUAL TABLE texts USING fts5(text, detail = none, columnsize = 0, tokenize = 'ascii');
        INSERT INTO texts(texts, rank) VALUES ('hashsize', 16777216);
        CREATE VIRTUAL TABLE vocabulary USING fts5vocab(texts, row);
        CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
        CREATE VIRTUAL TABLE parts USING fts5(word, content = words, content_rowid = id, columnsize = 0,
            tokenize = 'trigram case_sensitive 1');
        PRAGMA user_version = \(version);
        """

    // MARK: What it is of

    /// What whoever brought it up to date last noted of the state of the source; nil for an index without texts.
    /// - Throws: ``DatabaseError``.
    package func mark() throws(DatabaseError) -> String? {
        try connection.value("SELECT value FROM state WHERE name = 'mark'")?.text
    }

    /// The first and the last row that it knows; nil where there is none.
    /// - Throws: ``DatabaseError``.
    package func rows() throws(DatabaseError) -> ClosedRange<Int64>? {
        var ends: [Int64] = []
        for table in ["texts_content", "always"] {
            let rows = try connection.rows(
                "SELECT (SELECT min(id) FROM \(table)), (SELECT max(id) FROM \(table))")
            ends += rows.flatMap { $0.compactMap(\.integer) }
        }
        guard let first = ends.min(), let last = ends.max() else { return nil }
        return first...last
    }

    /// The rows that are found in each search.
    /// - Throws: ``DatabaseError``.
    package func rowsWithoutText() throws(DatabaseError) -> Set<Int64> {
        Set(try connection.rows("SELECT id FROM always").compactMap { $0[0].integer })
    }

    /// The texts of a part of the rows, in their order.
    /// - Throws: ``DatabaseError``.
    package func texts(in rows: ClosedRange<Int64>) throws(DatabaseError) -> IndexedTexts {
        try IndexedTexts(connection, rows)
    }
}

/// Texts of an index, one after the other.
package struct IndexedTexts: ~Copyable {
    private let statement: Statement
    /// The row of the text where it is; nil at the end.
    package private(set) var row: Int64?

    fileprivate init(_ connection: borrowing Connection, _ rows: ClosedRange<Int64>) throws(DatabaseError) {
        let statement = try connection.prepare(
            "SELECT rowid, text FROM texts WHERE rowid BETWEEN ? AND ? ORDER BY rowid")
        try statement.bind([.integer(rows.lowerBound), .integer(rows.upperBound)])
        row = try Self.row(of: statement)
        self.statement = statement
    }

    private static func row(of statement: borrowing Statement) throws(DatabaseError) -> Int64? {
        try statement.step() ? statement.value(0).integer : nil
    }

    /// Goes to the next one.
    /// - Throws: ``DatabaseError``.
    package mutating func advance() throws(DatabaseError) {
        row = try Self.row(of: statement)
    }

    /// Whether the text is this one.
    package borrowing func isText(_ text: [UInt8]) -> Bool {
        unsafe statement.withBytes(1) { bytes in
            unsafe text.withUnsafeBytes { text in
                unsafe text.count == bytes.count && text.elementsEqual(bytes)
            }
        }
    }
}
