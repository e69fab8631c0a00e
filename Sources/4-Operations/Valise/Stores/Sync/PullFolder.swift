import ValiseContentStore

/// Brings the changes of a store into a folder: new and changed files, and deletions since the last time.
///
/// What both changed is a conflict, of which neither version is touched unless it is said how it ends.
package struct PullFolder: Operation {
    package var synchronization: FolderSynchronization

    package init(_ synchronization: FolderSynchronization) { self.synchronization = synchronization }

    /// - Throws: as ``PushFolder/plan(in:)``.
    package func plan(in context: OperationContext) async throws -> PlannedSync {
        try await synchronization.plan(.pull, in: context)
    }

    /// - Throws: as ``PushFolder/run(in:)``.
    package func run(in context: OperationContext) async throws -> SynchronizedFolder {
        try await synchronization.run(.pull, in: context)
    }
}
