import ValiseFailures
import ValiseFiles
import ValiseStorage

extension Failure {
    /// Whether it is one of this object or file alone, so that the others may be intact, rather than of the store, of a library
    /// or of a caller that stops.
    var isOfObject: Bool {
        switch self {
        case let error as ContentStoreError: error.kind != .failed
        case let error as StorageError:
            error.kind == .general && [.notFound, .damaged, .unsupported, .invalid].contains(error.code)
        case let error as FileError: error.code != .noSpace
        default: false
        }
    }
}
