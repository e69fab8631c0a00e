package import ValiseConcurrency
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// Lists the keys of a repository: one for each password that opens it. Changes nothing, and waits for no lock.
package struct ListRepositoryKeys: Operation {
    package var repository: RepositoryInput

    package init(of repository: RepositoryInput) { self.repository = repository }

    package func run(in context: OperationContext) async throws -> RepositoryKeyList {
        let opened = try await repository.open(in: context)
        return try await context.blocking { progress in
            try context.tellOfPasswordChange(opened, at: repository.place, forgets: false)
            var list = RepositoryKeyList(
                repository: opened.config.id.text, place: repository.place.absoluteText)
            for id in try opened.keyIDs() {
                try progress(OperationProgress("reading the keys"))
                do {
                    list.keys.append(
                        RepositoryKeyList.Key(
                            id: id.text, isCurrent: id == opened.keyID, try opened.keyFile(id)))
                } catch let error as StorageError where error.code == .notFound {
                    // It was removed after the list was made.
                } catch let error as RepositoryError {
                    list.failures.append(RepositoryKeyList.Problem(id: id.text, message: error.message))
                    context.tell(error, of: id.text)
                }
            }
            list.keys.sort { ($0.created ?? "", $0.id) < ($1.created ?? "", $1.id) }
            return list
        }
    }
}

/// The keys of a repository.
package struct RepositoryKeyList: OperationReport {
    /// A key that can be read.
    package struct Key: Encodable, Sendable {
        package let id: String
        /// Whether its password opened the repository now.
        package let isCurrent: Bool
        /// As the program that made it wrote it; absent where it did not.
        package let created: String?
        package let username: String?
        package let hostname: String?

        init(id: String, isCurrent: Bool, _ file: KeyFile) {
            self.id = id
            self.isCurrent = isCurrent
            created = file.created
            username = file.username
            hostname = file.hostname
        }
    }

    /// A key that cannot be read: its password does not open the repository.
    package struct Problem: Encodable, Sendable {
        package let id: String
        package let message: String
    }

    package let type = "backupKeys"
    package let repository: String
    package let place: String
    /// The oldest first.
    package internal(set) var keys: [Key] = []
    package internal(set) var failures: [Problem] = []

    package var entryFailures: [EntryFailure] { failures.map { EntryFailure($0.id, Remark($0.message)) } }

    init(repository: String, place: String) {
        self.repository = repository
        self.place = place
    }
}
