import ValiseDatabase
import ValisePages

/// Writes salvaged rows into one table of the new database.
final class SalvagedRowWriter {
    let shape: TableShape
    private let target: SalvageTarget
    /// A statement for rows of this many columns: older rows have fewer, the rest take their defaults.
    private var insertion: (count: Int, statement: PreparedStatement)?
    private var lookup: PreparedStatement?

    init(_ shape: TableShape, _ target: SalvageTarget) {
        self.shape = shape
        self.target = target
    }

    /// - Returns: nil when the row is in the table now; else why it could not be taken.
    func insert(_ rowID: Int64?, _ values: [RecordValue]) throws -> String? {
        guard values.count <= shape.columns.count else { return "more values than the table has columns" }
        var values = values
        if let column = shape.rowIDColumn, let rowID {
            while values.count <= column { values.append(.null) }
            values[column] = .integer(rowID)
        }
        let statement = try statement(for: values.count)
        var bound = values.indices.filter { !shape.columns[$0].isGenerated }.map { values[$0] }
        if let rowID, shape.rowIDColumn == nil, shape.rowIDName != nil { bound.append(.integer(rowID)) }
        do {
            try statement.run(bound)
            try target.countRow()
            return nil
        } catch let error as DatabaseError where error.isRefusal {
            return error.message
        }
    }

    /// Whether a row of this id is in the table.
    func contains(_ rowID: Int64) throws -> Bool {
        guard let name = shape.rowIDColumn.map({ shape.columns[$0].name }) ?? shape.rowIDName else {
            return false
        }
        if lookup == nil {
            lookup = PreparedStatement(try target.connection.prepareLookup(in: shape.table, by: name))
        }
        return try lookup?.finds([.integer(rowID)]) ?? false
    }

    private func statement(for count: Int) throws -> PreparedStatement {
        if let insertion, insertion.count == count { return insertion.statement }
        var names = shape.columns.prefix(count).filter { !$0.isGenerated }.map(\.name)
        if shape.rowIDColumn == nil, let name = shape.rowIDName { names.append(name) }
        let statement = PreparedStatement(
            try target.connection.prepareInsert(into: shape.table, names))
        insertion = (count, statement)
        return statement
    }
}

/// A statement that is used over and over.
final class PreparedStatement {
    private let statement: Statement

    init(_ statement: consuming Statement) { self.statement = statement }

    func run(_ values: [RecordValue]) throws {
        try bind(values)
        while try statement.step() {}
    }

    func finds(_ values: [RecordValue]) throws -> Bool {
        try bind(values)
        return try statement.step()
    }

    private func bind(_ values: [RecordValue]) throws {
        try statement.bind(values.map(\.databaseValue))
        for (index, value) in values.enumerated() {
            if case .text(let bytes) = value { try statement.bind(text: bytes, at: index) }
        }
    }
}

extension RecordValue {
    /// Text is left out: it is bound by its bytes.
    fileprivate var databaseValue: Value {
        switch self {
        case .null, .text: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .blob(let bytes): .blob(bytes)
        }
    }
}

extension DatabaseError {
    /// Whether a row was refused for what it is: a constraint, a wrong type, too big.
    var isRefusal: Bool { [18, 19, 20].contains(resultCode & 0xff) }
}
