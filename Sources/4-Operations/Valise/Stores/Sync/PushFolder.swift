import ValiseContentStore

/// Brings the changes of a folder into a store: new and changed files, and deletions since the last time.
///
/// What both changed is a conflict, of which neither version is touched unless it is said how it ends.
package struct PushFolder: Operation {
    package var synchronization: FolderSynchronization

    package init(_ synchronization: FolderSynchronization) { self.synchronization = synchronization }

    /// - Throws: `ContentStoreError`: `invalid`, `damaged` or `newer` for the record of the last time; `StorageError`;
    ///   `FileError`.
    package func plan(in context: OperationContext) async throws -> PlannedSync {
        try await synchronization.plan(.push, in: context)
    }

    /// - Throws: as ``plan(in:)``; ``OperationError`` where something would be lost and nobody agrees.
    package func run(in context: OperationContext) async throws -> SynchronizedFolder {
        try await synchronization.run(.push, in: context)
    }
}
