package import SystemPackage

/// One operation that changes a medium, as an interposer sees it before it happens.
package enum FileOperation: Sendable, Equatable {
    case create(FilePath)
    case write(FilePath, count: Int)
    case synchronize(FilePath)
    case synchronizeAll(FilePath)
    case rename(FilePath, to: FilePath)
    case remove(FilePath)
    case makeDirectory(FilePath)
}

/// What an interposer lets happen.
package enum FileOperationVerdict: Sendable, Equatable {
    case proceed
    /// Fail with this error, changing nothing.
    case fail(Errno)
    /// Of a write or a read: take only so many bytes, as a full disk or a signal would.
    case shorten(to: Int)
}

/// Stands before every changing operation of a ``FileSystem``.
///
/// Tests use it to fail the n-th operation, to cut writes short, and to play a power cut: what was not
/// flushed is lost. One file system with a hook keeps one implementation, where a protocol with a mirror
/// for tests would have two that drift apart.
package protocol FileInterposer: Sendable {
    func verdict(on operation: FileOperation) -> FileOperationVerdict

    /// Stands before a read of up to so many bytes, and before a file is opened for reading, with no bytes. It changes
    /// nothing and is no operation that is counted; only tests of reading use it.
    func verdict(onReading path: FilePath, count: Int) -> FileOperationVerdict

    /// What is said to be free, in bytes, where the system says `space`.
    func freeSpace(_ space: Int64) -> Int64
}

extension FileInterposer {
    package func verdict(onReading path: FilePath, count: Int) -> FileOperationVerdict { .proceed }

    package func freeSpace(_ space: Int64) -> Int64 { space }
}
