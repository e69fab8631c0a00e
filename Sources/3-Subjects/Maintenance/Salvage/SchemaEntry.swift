import ValisePages

/// One row of a database's schema table.
struct SchemaEntry: Hashable {
    enum Kind: String {
        case table
        case index
        case trigger
        case view
    }

    let kind: Kind
    let name: String
    /// The table that an index or a trigger belongs to.
    let table: String
    /// The root of its tree; 0 where it has none, or it is not known.
    var root: UInt32
    /// Nil for the index that a constraint made.
    let sql: String?
    /// Whether the root was concluded and not read: then the rows have to look like ones of the table.
    var isRootInferred = false

    /// Nil where the values are no such row.
    init?(_ values: [RecordValue]) {
        guard values.count == 5, let kind = values[0].string.flatMap(Kind.init(rawValue:)),
            let name = values[1].string, let table = values[2].string, !name.isEmpty, !table.isEmpty
        else { return nil }
        switch values[3] {
        case .integer(let number): root = UInt32(exactly: number) ?? 0
        case .null: root = 0
        default: return nil
        }
        switch values[4] {
        case .text: sql = values[4].string
        case .null where kind == .index: sql = nil
        default: return nil
        }
        self.kind = kind
        self.name = name
        self.table = table
    }

    /// What makes it the same object in another database.
    var identity: String { "\(kind.rawValue) \(name)" }

    /// Tables that SQLite keeps for itself.
    var isInternal: Bool { name.hasPrefix("sqlite_") }

    /// The statement with its white space evened, to compare.
    var normalizedSQL: String? {
        sql.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }

    /// Whether the statement is what it claims to be. The text comes from a file that may say anything: a
    /// `CREATE TABLE … AS SELECT`, for one, could run for ever.
    var isHarmless: Bool {
        guard var rest = sql.map({ $0[...] }) else { return false }
        func take(_ word: String) -> Bool {
            rest = rest.drop(while: \.isWhitespace)
            guard rest.prefix(word.count).uppercased() == word else { return false }
            rest = rest.dropFirst(word.count)
            return true
        }
        guard take("CREATE") else { return false }
        switch kind {
        case .table:
            guard take("TABLE"), rest.first?.isWhitespace == true else { return false }
            rest = Self.afterName(rest.drop(while: \.isWhitespace)).drop(while: \.isWhitespace)
            return rest.first == "("
        case .index:
            _ = take("UNIQUE")
            return take("INDEX")
        case .trigger: return take("TRIGGER")
        case .view: return take("VIEW")
        }
    }

    /// Whether it is a virtual table, whose rows lie in other tables.
    var isVirtual: Bool {
        kind == .table && (normalizedSQL?.uppercased().hasPrefix("CREATE VIRTUAL TABLE ") ?? false)
    }

    private static func afterName(_ text: Substring) -> Substring {
        let pairs: [Character: Character] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]
        guard let first = text.first, let end = pairs[first] else {
            return text.drop { !$0.isWhitespace && $0 != "(" }
        }
        return text.dropFirst().drop { $0 != end }.dropFirst()
    }
}
