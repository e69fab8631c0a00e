import Synchronization

/// What lists of migrations give, for as long as the program runs: running them all takes a tenth of a second, and whoever
/// looks at several databases asks for the same list again.
enum ExpectedSchemas {
    /// More lists than the databases of an account have.
    private static let most = 8

    private static let known = Mutex<[[String]: SchemaSnapshot]>([:])

    /// - Throws: ``MigrationError`` when a script fails.
    static func snapshot(_ migrations: [Migration]) throws -> SchemaSnapshot {
        let scripts = migrations.map { $0.name + $0.upChecksum }
        if let snapshot = known.withLock({ $0[scripts] }) { return snapshot }
        let snapshot = try SchemaSnapshot(of: migrations)
        known.withLock {
            if $0.count == most { $0.removeAll() }
            $0[scripts] = snapshot
        }
        return snapshot
    }
}
