package import ValiseTransfers

/// Shows what links or descriptions say about their files, without receiving them. No relay is contacted.
package struct DescribeFiles: Operation {
    /// Links, or paths of `.xftp` files.
    package var references: [String]

    package init(_ references: [String]) { self.references = references }

    package func run(in context: OperationContext) async throws -> DescribedFiles {
        DescribedFiles(files: try FileReferences.read(references).map(FileTransfers.standaloneFileInfo))
    }
}

/// What links or descriptions say about their files.
package struct DescribedFiles: Sendable {
    /// In the order given.
    package let files: [StandaloneFileInfo]
}
