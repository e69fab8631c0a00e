import ValiseDatabase

/// Rows that follow each other and are of one kind.
package struct RowRange: Sendable, Equatable, Codable {
    /// The lowest id.
    package let first: Int64
    /// The highest id.
    package internal(set) var last: Int64
    /// How many rows; ids between them may be of no row.
    package internal(set) var rows: Int
}

/// A table that both sides have.
package struct TableComparison: Sendable, Equatable, Codable {
    package let name: String
    /// How many rows the first side has, as far as the table was compared.
    package internal(set) var firstRows = 0
    /// How many rows the second side has, as far as the table was compared.
    package internal(set) var secondRows = 0
    package internal(set) var onlyInFirst = 0
    package internal(set) var onlyInSecond = 0
    /// Rows of both sides with different values.
    package internal(set) var changed = 0
    /// The ids, where rows have such numbers.
    package internal(set) var idsOnlyInFirst = BoundedList<RowRange>()
    package internal(set) var idsOnlyInSecond = BoundedList<RowRange>()
    package internal(set) var idsChanged = BoundedList<RowRange>()
    /// Columns that only the first side's table has; they are not compared.
    package let columnsOnlyInFirst: [String]
    package let columnsOnlyInSecond: [String]
    /// Why the rows were not compared, or not all; nil where they were.
    package internal(set) var problem: String?

    init(_ first: TableOutline, _ second: TableOutline) {
        name = first.name
        columnsOnlyInFirst = first.columns.filter { !second.columns.contains($0) }
        columnsOnlyInSecond = second.columns.filter { !first.columns.contains($0) }
    }

    /// Whether nothing differs, as far as the table was compared.
    package var isSame: Bool {
        onlyInFirst == 0 && onlyInSecond == 0 && changed == 0 && problem == nil
            && columnsOnlyInFirst.isEmpty && columnsOnlyInSecond.isEmpty
    }

    /// How many rows are on both sides, changed or not.
    package var shared: Int { firstRows - onlyInFirst }
}
