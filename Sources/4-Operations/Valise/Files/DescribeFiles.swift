public import ValiseTransfers

/// Tells what links or descriptions say of their files, without receiving them. No relay is asked.
public struct DescribeFiles: Operation {
    /// Links, or paths of `.xftp` files.
    public var references: [String]

    public init(_ references: [String]) { self.references = references }

    public func run(in context: OperationContext) async throws -> [StandaloneFileInfo] {
        try FileReferences.read(references).map(FileTransfers.standaloneFileInfo)
    }
}
