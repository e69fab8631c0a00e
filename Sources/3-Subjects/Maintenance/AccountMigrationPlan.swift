public import ValiseAccounts
package import ValiseDatabase

/// What a migration of an account would do.
public struct AccountMigrationPlan: Sendable, Equatable, Codable {
    /// One database's part.
    public struct Step: Sendable, Equatable, Codable {
        /// Which way.
        public enum Direction: String, Sendable, Codable {
            /// Nothing to do, newer, older, or no path between the two.
            case none, up, down, impossible
        }

        /// Which of the two databases.
        public let database: AccountDatabase
        /// To a newer schema, or back to an older one.
        public let direction: Direction
        /// The migrations in the order in which they would run.
        public let migrations: [String]
        /// Why there is no way, in the official form.
        package let mismatch: MigrationMismatch?
    }

    /// Chat first, as it runs.
    public let steps: [Step]
    /// Bytes that the copies take while it runs, the previous databases included afterwards.
    public let spaceNeeded: Int64
    /// Bytes that are free.
    public let freeSpace: Int64
    /// The program that was using the account; nil where none was.
    package var inUse: String?

    /// Whether anything would run.
    package var isEmpty: Bool { steps.allSatisfy { $0.direction == .none } }
}

extension AccountMigrationPlan.Step {
    init(_ pending: PendingMigrations, _ database: AccountDatabase) {
        switch pending {
        case .none:
            self.init(database: database, direction: .none, migrations: [], mismatch: nil)
        case .up(let list):
            self.init(database: database, direction: .up, migrations: list.map(\.name), mismatch: nil)
        case .down(let list):
            self.init(database: database, direction: .down, migrations: list.map(\.name), mismatch: nil)
        case .impossible(let mismatch):
            self.init(database: database, direction: .impossible, migrations: [], mismatch: mismatch)
        }
    }
}

/// How a migration of an account ended.
public struct AccountMigrationReport: Sendable, Equatable {
    /// The official result; of the database that stood in the way, or ok for both.
    package let result: MigrationResult
    /// What was done.
    public let plan: AccountMigrationPlan
    /// What an earlier run had left; nil for nothing.
    package let recovery: AccountRecovery?
    /// Whether the databases from before are kept for `rollback`.
    public let keepsBackup: Bool
    /// How long it took, in seconds.
    package let seconds: Double
}
