import ValiseConcurrency
import ValiseFailures
import ValiseRepository
package import ValiseStorage

extension RepositoryMemory {
    /// A change of the password that has begun. It is forgotten once it is complete, so that after a kill the next run knows which
    /// password opens the repository.
    package struct PasswordChange: Codable, Sendable, Equatable {
        /// The name of the previous password's key file.
        package let previous: String
        /// That of the new one.
        package let new: String

        package init(previous: String, new: String) {
            self.previous = previous
            self.new = new
        }

        /// Which of the two passwords open the repository.
        ///
        /// - Parameter keys: the key files that are there.
        package func state(_ keys: some Sequence<ContentID>) -> State {
            let names = Set(keys.map(\.text))
            return switch (names.contains(previous), names.contains(new)) {
            case (true, true): .both
            case (true, false): .previousOnly
            case (false, true): .newOnly
            case (false, false): .neither
            }
        }

        /// What a change that ended early has left.
        package enum State: Sendable {
            case both
            case previousOnly
            case newOnly
            /// Somebody has removed both since.
            case neither
        }
    }
}

extension OperationContext {
    /// Changes what is remembered of a repository. Where that cannot be written down, it is told of, and nothing else is lost.
    func remember(
        _ repository: Repository, at place: RepositoryPlace, _ change: (inout RepositoryMemory) -> Void
    ) {
        do {
            try RepositoryMemories(folders).update(repository.config.id, at: place, change)
        } catch {
            note(RepositoryNote.notRemembered(error))
        }
    }

    /// Tells which password opens a repository, where an earlier change of it ended early.
    ///
    /// - Parameter forgets: whether the record is removed where there is nothing to complete.
    /// - Throws: `FileError`; `StorageError`.
    func tellOfPasswordChange(_ repository: Repository, at place: RepositoryPlace, forgets: Bool) throws {
        guard
            let change = try RepositoryMemories(folders).memory(of: repository.config.id)?.passwordChange
        else { return }
        let state = change.state(try repository.keyIDs())
        if state != .neither { note(RepositoryNote.passwordChangeEnded(state)) }
        guard forgets, state != .both else { return }
        remember(repository, at: place) { $0.passwordChange = nil }
    }
}

extension RepositoryInput {
    /// Says of a wrong password what is known: that it was changed, or that a change of it ended early.
    func explaining<Opened>(
        _ store: any BlobStore, in context: OperationContext, _ open: () throws -> Opened
    ) throws -> Opened {
        do {
            return try open()
        } catch let error as RepositoryError where error.kind == .wrongPassword {
            // Whoever cannot say more says that.
            guard let known = (try? known(of: store, in: context)) ?? nil else { throw error }
            throw RepositoryError(
                .wrongPassword, "wrong password. \(known)", error.subject, cause: error.cause,
                remedy: error.remedy)
        }
    }

    /// What is known of an earlier change, in a sentence; nil for nothing.
    private func known(of store: any BlobStore, in context: OperationContext) throws -> String? {
        let memories = try RepositoryMemories(context.folders).all()
        guard let change = memories.first(where: { $0.place == place.absoluteText })?.passwordChange
        else { return nil }
        return switch change.state(try store.list(.keys).map(\.id)) {
        case .both, .neither: nil
        case .previousOnly: "A change of it ended early: only the previous password opens the repository."
        case .newOnly: "It was changed: only the new password opens the repository."
        }
    }
}
