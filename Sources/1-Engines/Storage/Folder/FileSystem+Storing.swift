import SystemPackage
import ValiseFailures
import ValiseFiles

/// What stores in folders do alike.
extension FileSystem {
    /// Removes the temporary file where something fails, and names the file that it was to become.
    func removing<Value: ~Copyable>(
        _ temporary: FilePath, instead path: FilePath, _ body: () throws(FileError) -> Value
    ) throws(FileError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            try? remove(temporary)
            throw error.named(path, insteadOf: temporary)
        }
    }

    /// Makes the names in a folder durable where its file system can do that.
    func flushNames(in folder: FilePath) throws(FileError) {
        do throws(FileError) {
            try synchronizeDirectory(folder)
        } catch  where error.errno == .invalidArgument || error.errno == .notSupported {
            // Mounted servers flush files, and cannot flush folders.
        }
    }
}

extension FileError {
    /// Whether disks of other systems, or servers, say so where they have no permissions, or times, to be set.
    var isRefusalOfAttributes: Bool {
        switch errno {
        case .notPermitted, .permissionDenied, .notSupported, .noFunction: true
        default: false
        }
    }
}
