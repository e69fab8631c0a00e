package import SystemPackage
package import ValiseFiles

/// Stands before every read of a file system: fails it, cuts it short, or does something else first.
package final class ReadInterposer: FileInterposer {
    private let answer: @Sendable (FilePath, Int) -> FileOperationVerdict

    /// - Parameter answer: gets the file and how many bytes are asked for; none where it is opened.
    package init(_ answer: @escaping @Sendable (FilePath, Int) -> FileOperationVerdict) {
        self.answer = answer
    }

    package func verdict(on operation: FileOperation) -> FileOperationVerdict { .proceed }

    package func verdict(onReading path: FilePath, count: Int) -> FileOperationVerdict { answer(path, count) }
}
