import SystemPackage
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseSecrets

/// SQLite's own reading of the database, beside our walk: what only SQLite finds is added, and where the walk
/// found everything the counts have to be the same.
///
/// It works on a copy, encrypted under the same key, in which each lost page is an empty one: SQLCipher reads
/// nothing at all any more once an HMAC failed.
struct EngineSalvage {
    let opened: SalvageInput.Opened
    let claims: PageClaims
    let tables: [SalvagedTable]
    /// Where the copy goes; it is removed again.
    let copy: FilePath
    let fileSystem: FileSystem
    let tick: () throws -> Void

    private var pages: SalvagePages { opened.pages }

    /// - Returns: what it found, in a sentence for each thing worth one.
    func run() throws -> [String] {
        guard pages.pageCount > 0, try pages.page(1).flatMap(DatabaseHeader.init) != nil else {
            return ["no second pass by SQLite itself: the first page is lost"]
        }
        defer { try? fileSystem.removeTree(copy) }
        try fileSystem.copy(opened.path, to: copy) { _ in try tick() }
        try repair()
        var notes: [String] = []
        do {
            let connection = try opened.connect(copy)
            for table in tables where table.entry.root > 0 {
                notes += try ask(connection, table)
            }
        } catch let error as DatabaseError where [.damaged, .wrongPassphrase].contains(error.code) {
            notes.append("SQLite itself could not open the repaired copy: \(error.message)")
        }
        return notes
    }

    // MARK: The copy

    /// Puts an empty page in the place of each lost one, and makes the header agree with the file.
    private func repair() throws {
        let file = try fileSystem.openForUpdating(copy)
        for number in pages.verification?.damaged.pages.map({ $0 }) ?? []
        where number > 1 && number != pages.lockPage {
            try tick()
            try write(emptyPage(number), number, file)
        }
        guard var head = try pages.page(1) else { return }
        head.replaceSubrange(28..<32, with: Self.bytes(pages.pageCount))
        // The list of free pages is not needed to read.
        head.replaceSubrange(32..<40, with: [UInt8](repeating: 0, count: 8))
        try write(head, 1, file)
    }

    private func emptyPage(_ number: UInt32) -> [UInt8] {
        var page = [UInt8](repeating: 0, count: pages.usableSize)
        guard claims.use(of: number) == .tree else { return page }
        let owner = tables.first { $0.owner == claims.owner(of: number) }
        page[0] = owner?.shape.kind == .table ? 13 : 10
        page.replaceSubrange(5..<7, with: Self.bytes(UInt32(pages.usableSize)).suffix(2))
        return page
    }

    private func write(_ content: [UInt8], _ number: UInt32, _ file: borrowing OpenFile) throws {
        var page = content + [UInt8](repeating: 0, count: pages.pageSize - content.count)
        if let encrypted = opened.encrypted {
            let codec = try PageCodec(encrypted.settings, encrypted.key)
            try unsafe page.withUnsafeMutableBytes { try unsafe codec.seal($0, first: number) }
        }
        try unsafe page.withUnsafeBytes {
            try unsafe file.write($0, at: Int64(number - 1) * Int64(pages.pageSize))
        }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }

    // MARK: The questions

    private func ask(_ connection: borrowing Connection, _ table: SalvagedTable) throws -> [String] {
        try tick()
        // Of a table whose schema is lost, SQLite knows nothing.
        guard try connection.hasTable(table.name) else { return [] }
        let isIntact = table.gaps.isEmpty && table.report.cutRows == 0 && table.report.unreadableRows == 0
        if isIntact, table.report.refusedRows == 0, table.report.rowsFromOrphans == 0 {
            return countNote(connection, table).map { [$0] } ?? []
        }
        // In the copy the end of a cut row is empty, and without row ids nothing tells which row that is.
        if table.shape.isWithoutRowID, table.report.cutRows > 0 { return [] }
        var passes = [try read(connection, table, isDescending: false)]
        if !table.shape.isWithoutRowID { passes.append(try read(connection, table, isDescending: true)) }
        let added = passes.reduce(0) { $0 + $1.added }
        table.report.rowsFromSQLite += added
        table.report.rows += added
        guard let failure = passes.compactMap(\.failure).first else { return [] }
        let rows = Count.text(passes.reduce(0) { $0 + $1.rows }, "row")
        return ["SQLite itself read only \(rows) of \(table.name): \(failure.message)"]
    }

    /// What is to be said of a table in which everything was found; nil where SQLite finds as much.
    private func countNote(_ connection: borrowing Connection, _ table: SalvagedTable) -> String? {
        let found = table.report.rows
        do throws(DatabaseError) {
            let count = try connection.rowCountWithoutIndexes(of: table.name)
            return count == Int64(found)
                ? nil : "SQLite counts \(Count.text(count, "row")) in \(table.name), but \(found) were found"
        } catch {
            return "SQLite itself cannot count the rows in \(table.name), where \(found) were found: "
                + error.message
        }
    }

    /// One reading of a table by SQLite.
    private struct Pass {
        /// How many rows it read, with those that were there already.
        var rows = 0
        var added = 0
        /// Why it ended before the end of the table.
        var failure: DatabaseError?
    }

    /// Reads until the end or the first failure, and adds what is not there yet.
    private func read(
        _ connection: borrowing Connection, _ table: SalvagedTable, isDescending: Bool
    ) throws -> Pass {
        let shape = table.shape
        let id = shape.rowIDColumn.map { shape.columns[$0].name } ?? shape.rowIDName
        let names = shape.columns.map(\.name) + [id].compactMap { $0 }
        var pass = Pass()
        let statement = try connection.prepareRows(
            of: table.name, names, by: id, isDescending: isDescending)
        while Self.step(statement, &pass.failure) {
            pass.rows += 1
            if pass.rows % 256 == 0 { try tick() }
            let values = shape.columns.indices.map { statement.value($0).recordValue }
            let rowID = id == nil ? nil : statement.value(shape.columns.count).integer
            if let rowID, try table.cutRowIDs.contains(rowID) || table.writer.contains(rowID) { continue }
            if try table.writer.insert(rowID, values) == nil { pass.added += 1 }
        }
        return pass
    }

    /// - Returns: whether there is a row. A failure is no end of the rows: it is kept.
    private static func step(_ statement: borrowing Statement, _ failure: inout DatabaseError?) -> Bool {
        do throws(DatabaseError) {
            return try statement.step()
        } catch {
            failure = error
            return false
        }
    }
}

extension SalvageInput.Opened {
    /// SQLCipher's connection to a copy of this database, under the key that was found.
    func connect(_ copy: FilePath) throws -> Connection {
        guard let encrypted else {
            return try Connection(copy, mode: .readOnly, passphrase: try .empty())
        }
        let settings = encrypted.settings
        return try Connection(
            copy, mode: .readOnly, passphrase: try encrypted.key.rawPassphrase(),
            cipher: settings == .format4 ? [] : settings.pragmas)
    }
}

extension Value {
    fileprivate var recordValue: RecordValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(Array(text.utf8))
        case .blob(let bytes): .blob(bytes)
        }
    }
}
