import ValiseConcurrency
import ValiseEncoding
package import ValiseStorage

/// What is told of a repository.
package enum RepositoryNote: OperationNote {
    /// The owner of a lock is gone.
    case removedStaleLock(String, String)
    /// Of how many bytes a run that ended early had stored, which need not be stored again.
    case adopted(Int64)
    /// A change of the password did not come to its end.
    case passwordChangeEnded(RepositoryMemory.PasswordChange.State)
    /// Snapshots that were there are gone, and this user did not forget them. By their short names.
    case vanished([String])
    /// What was seen cannot be written down here.
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
        case .adopted(let size):
            "a backup that was interrupted had stored \(Count.bytes(size)), which are used"
        case .removedStaleLock(let host, let time):
            "removed the lock of a program on \(host) that ended, of \(time)"
        case .vanished(let names):
            "the repository has lost \(Count.text(names.count, "snapshot")) since it was last used from here, without "
                + "a removal from here: \(Self.list(names))"
        case .notRemembered(let error):
            "what was seen of the repository could not be recorded: \(error)"
        }
    }

    /// Whether something may be lost.
    package var isWarning: Bool {
        switch self {
        case .adopted, .removedStaleLock, .passwordChangeEnded: false
        case .vanished, .notRemembered: true
        }
    }

    private static let mostNames = 5

    private static func list(_ names: [String]) -> String {
        let rest = names.count - mostNames
        return names.prefix(mostNames).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
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
