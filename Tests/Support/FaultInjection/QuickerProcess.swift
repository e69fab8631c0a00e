import SystemPackage
package import ValiseFiles

/// Another process that does something just before an operation. Where it cannot, the operation fails.
package struct QuickerProcess: FileInterposer {
    private let action: @Sendable (FileOperation) throws -> Void

    package init(_ action: @escaping @Sendable (FileOperation) throws -> Void) {
        self.action = action
    }

    package func verdict(on operation: FileOperation) -> FileOperationVerdict {
        do {
            try action(operation)
            return .proceed
        } catch {
            return .fail(.ioError)
        }
    }
}
