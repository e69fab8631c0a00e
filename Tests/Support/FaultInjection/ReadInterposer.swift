public import SystemPackage
public import ValiseFiles

/// Stands before every read of a file system: fails it, cuts it short, or does something else first.
public final class ReadInterposer: FileInterposer {
    private let answer: @Sendable (FilePath, Int) -> FileOperationVerdict

    /// - Parameter answer: gets the file and how many bytes are asked for; none where it is opened.
    public init(_ answer: @escaping @Sendable (FilePath, Int) -> FileOperationVerdict) {
        self.answer = answer
    }

    public func verdict(on operation: FileOperation) -> FileOperationVerdict { .proceed }

    public func verdict(onReading path: FilePath, count: Int) -> FileOperationVerdict { answer(path, count) }
}
