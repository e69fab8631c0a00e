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
        do {
            let connection = try opened.connect(copy)
            var notes: [String] = []
            for table in tables where table.entry.root > 0 {
                notes += try ask(connection, table)
            }
            return notes
        } catch let error as DatabaseError where [.damaged, .wrongPassphrase].contains(error.code) {
            return ["SQLite itself could not open the repaired copy: \(error.message)"]
        }
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
        let isIntact = table.gaps.isEmpty && table.report.cutRows == 0 && table.report.unreadableRows == 0
        if isIntact, table.report.refusedRows == 0, table.report.rowsFromOrphans == 0 {
            let count = try? connection.rowCountWithoutIndexes(of: table.name)
            guard let count, count != Int64(table.report.rows) else { return [] }
            return [
                "SQLite counts \(Count.text(count, "row")) in \(table.name), but "
                    + "\(table.report.rows) were found"
            ]
        }
        // In the copy the end of a cut row is empty, and without row ids nothing tells which row that is.
        if table.shape.isWithoutRowID, table.report.cutRows > 0 { return [] }
        var added = try read(connection, table, isDescending: false)
        if !table.shape.isWithoutRowID { added += try read(connection, table, isDescending: true) }
        table.report.rowsFromSQLite += added
        table.report.rows += added
        return []
    }

    /// Reads until the end or the first error, and adds what is not there yet.
    private func read(
        _ connection: borrowing Connection, _ table: SalvagedTable, isDescending: Bool
    ) throws -> Int {
        let shape = table.shape
        let id = shape.rowIDColumn.map { shape.columns[$0].name } ?? shape.rowIDName
        let names = shape.columns.map(\.name) + [id].compactMap { $0 }
        var added = 0
        let statement = try connection.prepareRows(
            of: table.name, names, by: id, isDescending: isDescending)
        while (try? statement.step()) == true {
            if added % 256 == 0 { try tick() }
            let values = shape.columns.indices.map { statement.value($0).recordValue }
            let rowID = id == nil ? nil : statement.value(shape.columns.count).integer
            if let rowID, try table.cutRowIDs.contains(rowID) || table.writer.contains(rowID) { continue }
            if try table.writer.insert(rowID, values) == nil { added += 1 }
        }
        return added
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
