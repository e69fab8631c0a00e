import ValiseConcurrency
package import ValiseStorage

/// What is told of a repository.
package enum RepositoryNote: OperationNote {
    /// The owner of a lock is gone.
    case removedStaleLock(String, String)
    /// A change of the password did not come to its end.
    case passwordChangeEnded(RepositoryMemory.PasswordChange.State)
    /// What was seen cannot be written down.
    case notRemembered(any Error)

    package var text: String {
        switch self {
        case .passwordChangeEnded(.both):
            "a change of the password ended early: both the previous and the new password open the repository"
        case .passwordChangeEnded(.previousOnly):
            "a change of the password ended early: only the previous password opens the repository"
        case .passwordChangeEnded(.newOnly):
            "the change of the password is complete: only the new password opens the repository"
        case .passwordChangeEnded(.neither): "both keys of a change of the password were removed"
        case .notRemembered(let error): "cannot remember what was seen of the repository: \(error)"
        case .removedStaleLock(let host, let time):
            "removed the lock of a program on \(host) that ended, of \(time)"
        }
    }
}

/// What is told of a store.
package enum StorageNote: OperationNote {
    /// A request failed and is repeated.
    case retrying(StorageError, after: Duration)

    package var text: String {
        switch self {
        case .retrying(let error, let pause):
            "\(error.message); trying again in \(max(1, pause.components.seconds)) s"
        }
    }
}
