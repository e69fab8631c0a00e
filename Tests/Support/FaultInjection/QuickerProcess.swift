import SystemPackage
public import ValiseFiles

/// Another process that does something just before an operation. Where it cannot, the operation fails.
public struct QuickerProcess: FileInterposer {
    private let action: @Sendable (FileOperation) throws -> Void

    public init(_ action: @escaping @Sendable (FileOperation) throws -> Void) {
        self.action = action
    }

    public func verdict(on operation: FileOperation) -> FileOperationVerdict {
        do {
            try action(operation)
            return .proceed
        } catch {
            return .fail(.ioError)
        }
    }
}
