import SystemPackage
import ValiseFiles
import ValiseRepository
import ValiseStorage

/// What would be done to a repository as a whole, or to its keys.
package struct RepositoryChanges: Sendable {
    /// Imperative clauses.
    package let changes: [String]
    /// What would be done with files of this machine.
    package var files = PlannedFiles()

    init(_ changes: [String]) { self.changes = changes }
}

extension Repository {
    /// The key that a user means by the first digits of its name.
    /// - Throws: `RepositoryError`: `missing`, `invalid` for digits that several have; `StorageError`.
    func key(named digits: String) throws -> ContentID {
        let digits = digits.lowercased()
        let found = try keyIDs().filter { !digits.isEmpty && $0.text.hasPrefix(digits) }
        guard let only = found.first else {
            throw RepositoryError(.missing, "no key has this ID. Nothing was changed.", digits)
        }
        guard found.count == 1 else {
            throw RepositoryError(
                .invalid,
                "several keys begin with this ID: \(found.map(\.description).joined(separator: ", "))",
                digits)
        }
        return only
    }

    /// A key that may be removed: not the one that opened the repository, and so never the last one.
    /// - Throws: as ``key(named:)``; `RepositoryError`: `invalid`.
    func removableKey(named digits: String) throws -> ContentID {
        let id = try key(named: digits)
        guard id != keyID else {
            throw RepositoryError(
                .invalid,
                "the password that you gave belongs to this key. It was not removed, so that the repository stays open "
                    + "to you.", id.description)
        }
        return id
    }
}
