import SystemPackage
import ValiseFailures
import ValiseFiles

extension StorageError {
    /// A failure of the file system below a store.
    ///
    /// - Parameters:
    ///   - space: bytes that are to be stored.
    ///   - folder: where the store is.
    init(_ error: FileError, storing space: Int, in folder: FilePath) {
        let isFull = error.code == .noSpace
        // A disk may not be mounted.
        let isFolderMissing = error.code == .notFound && error.path == folder
        self.init(
            isFolderMissing ? .noStore : .general, error.code,
            isFull ? "\(error.message). What was stored before is intact." : error.message,
            error.path.string, cause: error,
            remedy: isFull ? .freeSpace(Int64(space), in: folder) : error.remedy)
    }
}
