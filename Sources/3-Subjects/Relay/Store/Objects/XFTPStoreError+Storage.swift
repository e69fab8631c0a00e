import ValiseFailures
import ValiseStorage
import ValiseXFTPWire

extension XFTPStoreError {
    /// A failure of a storage server, whatever it is: for clients it passes, and the operator's log has its words. A server without space
    /// is a relay without space.
    init(storage error: any Error) {
        if let error = error as? XFTPStoreError {
            self = error
            return
        }
        guard let error = error as? StorageError else {
            self = .unavailable("the request to the storage server failed", cause: error)
            return
        }
        self =
            error.code == .noSpace
            ? XFTPStoreError(
                .noSpace, error.message, subject: error.subject, cause: error, answer: .quota)
            : .unavailable(
                "the storage server failed: \(error.message)", subject: error.subject, cause: error)
    }
}

extension StorageError {
    /// Whether there is no such object, or a shorter one. That a bucket or a folder is missing says nothing of its objects.
    var isAbsence: Bool { kind == .general && (code == .notFound || code == .damaged) }

    /// Whether the server has said that it does not do what it was asked for.
    var isRefusal: Bool { ![.unreachable, .server, .answer].contains(kind) }
}
