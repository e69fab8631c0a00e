import ValiseFailures

/// An app's migrations: all that it knows, and up to where it wants the schema.
package struct MigrationList: Sendable {
    /// Everything known, in order. Steps behind the target serve as the way back.
    package let known: [Migration]
    /// What the schema shall be: the known ones up to the target.
    package let wanted: [Migration]

    /// - Parameters:
    ///   - known: sorted by name, names unique.
    ///   - target: the last migration that is wanted; nil for all.
    /// - Throws: ``MigrationError``: `invalid` when the list is not sorted; `notFound` for an unknown target.
    package init(_ known: [Migration], upTo target: String? = nil) throws(MigrationError) {
        for (one, next) in zip(known, known.dropFirst()) where one.name >= next.name {
            throw MigrationError(.invalid, "the migration list is not sorted", migration: next.name)
        }
        self.known = known
        guard let target else {
            wanted = known
            return
        }
        guard let index = known.firstIndex(where: { $0.name == target }) else {
            throw MigrationError(.notFound, "no such migration", migration: target)
        }
        wanted = Array(known[...index])
    }

    func migration(named name: String) -> Migration? {
        known.first { $0.name == name }
    }
}
