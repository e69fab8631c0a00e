import SystemPackage
public import ValiseFiles

/// Another process that does something just before an operation. Where it cannot, the operation fails.
public struct QuickerProcess: FileInterposer {
    private let act: @Sendable (FileOperation) throws -> Void

    public init(_ act: @escaping @Sendable (FileOperation) throws -> Void) {
        self.act = act
    }

    public func verdict(on operation: FileOperation) -> FileOperationVerdict {
        do {
            try act(operation)
            return .proceed
        } catch {
            return .fail(.ioError)
        }
    }
}
