import ValiseDatabase
import ValiseFailures

/// Rows that refer to rows that are lost.
///
/// They are kept unless told otherwise: the programs open such a database, and what a message says is worth
/// more than that its sender's row is there.
struct ReferenceCheck {
    private let target: SalvageTarget
    private let drops: Bool

    /// Leaving rows out may break further references; a real schema needs a few rounds.
    private static let mostRounds = 50

    init(_ target: SalvageTarget, drops: Bool) {
        self.target = target
        self.drops = drops
    }

    func run(_ report: inout SalvageReport.Database) throws {
        let broken = try count()
        report.brokenReferences = broken.map { key, rows in
            SalvageReport.References(
                table: key.table, parent: key.parent, rows: Int(clamping: rows), dropped: drops)
        }.sorted { ($0.table, $0.parent) < ($1.table, $1.parent) }
        guard drops, !broken.isEmpty else { return }
        // With references switched on, leaving a row out does to others what the schema says.
        try target.flush()
        try hold(true)
        for _ in 0..<Self.mostRounds {
            let before = try target.connection.totalChanges()
            for key in try count().keys { try drop(key) }
            if try target.connection.totalChanges() == before { break }
        }
        try hold(false)
    }

    private func hold(_ areHeld: Bool) throws {
        try target.connection.commit()
        try target.connection.holdForeignKeys(areHeld)
        try target.connection.begin()
    }

    private func count() throws -> [ForeignKey: Int64] {
        var counts: [ForeignKey: Int64] = [:]
        for table in try target.connection.tableNames() {
            try allowing {
                counts.merge(try target.connection.brokenKeys(of: table)) { first, _ in first }
            }
        }
        return counts
    }

    /// Sets the reference to NULL where the schema would, else leaves the row out.
    private func drop(_ key: ForeignKey) throws {
        if try target.connection.repair(of: key) == .forget,
            try allowing({ try target.connection.repair(key, by: .forget) })
        {
            return
        }
        try allowing { try target.connection.repair(key, by: .remove) }
    }

    /// Runs what a constraint, or a schema with lost parts, may not allow: then the rows stay.
    @discardableResult
    private func allowing(_ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch let error as DatabaseError {
            guard error.code != .noSpace, error.code != .interrupted else { throw error }
            return false
        }
    }
}
