import ValiseConcurrency
package import ValiseStorage

/// What is told of a repository.
package enum RepositoryNote: OperationNote {
    /// The owner of a lock is gone.
    case removedStaleLock(String, String)

    package var text: String {
        switch self {
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
