/// What separates a database from the list of an app (Documentation/formats/migrations.md).
package enum PendingMigrations: Sendable, Equatable {
    /// Nothing to do.
    case none
    /// The database is older: these are to be run, in this order.
    case up([Migration])
    /// The database is newer: these are to be undone, newest first.
    case down([AppliedMigration])
    /// No way leads from one to the other.
    case impossible(MigrationMismatch)

    /// Walks both lists side by side. No common point is searched: a gap anywhere is a difference.
    ///
    /// - Parameters:
    ///   - list: the app's migrations, sorted.
    ///   - applied: the database's, sorted by name.
    package init(list: [Migration], applied: [AppliedMigration]) {
        let common = min(list.count, applied.count)
        for index in 0..<common where list[index].name != applied[index].name {
            self = .impossible(
                .different(appMigration: list[index].name, dbMigration: applied[index].name))
            return
        }
        let surplus = applied[common...]
        if !surplus.isEmpty {
            let withoutDown = surplus.filter { $0.down == nil }.map(\.name)
            self =
                withoutDown.isEmpty
                ? .down(surplus.reversed()) : .impossible(.noDown(dbMigrations: withoutDown))
        } else if list.count > common {
            self = .up(Array(list[common...]))
        } else {
            self = .none
        }
    }
}

extension PendingMigrations {
    /// What a confirmation makes of pending migrations (Documentation/formats/migrations.md); nil where they may run.
    ///
    /// `console` refuses here: the caller asks, and goes on if the answer is yes.
    package func refusal(_ confirmation: MigrationConfirmation, file: String) -> MigrationResult? {
        let problem: MigrationProblem
        switch (self, confirmation) {
        case (.none, _), (.up, .yesUp), (.up, .yesUpDown), (.down, .yesUpDown): return nil
        case (.up(let list), _): problem = .upgrade(upMigrations: list.map(UpMigration.init))
        case (.down(let list), _): problem = .downgrade(downMigrations: list.map(\.name))
        case (.impossible(let mismatch), _): problem = .migrationError(mtrError: mismatch)
        }
        return .errorMigration(dbFile: file, migrationError: problem)
    }
}
