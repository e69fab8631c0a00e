package import SystemPackage
package import ValiseRelay

/// Compares a relay's records with its chunks, both ways. Nothing is changed, and a relay may run meanwhile.
package struct CheckRelay: Operation {
    /// Of the relay.
    package var folder: FilePath
    /// Whether all chunks are read and compared with their digests.
    package var readsContent = false

    package init(in folder: FilePath) { self.folder = folder }

    /// - Throws: ``XFTPStoreError``.
    package func run(in context: OperationContext) async throws -> StoreCheckReport {
        try await context.blocking { progress in
            try RelayFolder(folder).stores(for: .reading).used { stores in
                var check = StoreCheck(stores)
                check.readsContent = readsContent
                return try check.run(progress)
            }
        }
    }
}

/// Repairs what a check of a relay finds: chunks that are missing or damaged can be uploaded again, those that no record names are
/// removed.
package struct RepairRelay: Operation {
    /// Of the relay.
    package var folder: FilePath
    /// Whether all chunks are read and compared with their digests.
    package var readsContent = false
    /// Chunks without a record stay until they are so old, in seconds.
    package var age = StoreRepair.usualAge

    package init(in folder: FilePath) { self.folder = folder }

    /// What would be repaired.
    /// - Throws: as ``run(in:)``.
    package func plan(in context: OperationContext) async throws -> StoreRepairReport {
        try await repair(in: context, isRehearsal: true)
    }

    /// - Throws: ``XFTPStoreError``.
    package func run(in context: OperationContext) async throws -> StoreRepairReport {
        try await repair(in: context, isRehearsal: false)
    }

    private func repair(
        in context: OperationContext, isRehearsal: Bool
    ) async throws -> StoreRepairReport {
        try await context.blocking { progress in
            try RelayFolder(folder).stores(for: isRehearsal ? .reading : .readingAlone).used { stores in
                var repair = StoreRepair(stores)
                repair.readsContent = readsContent
                repair.age = age
                repair.isRehearsal = isRehearsal
                return try repair.run(progress)
            }
        }
    }
}

extension RelayFolder {
    /// What the relay has in use.
    fileprivate func stores(for use: RelayStores.Use) throws -> RelayStores {
        try openStores(contents().settings, for: use)
    }
}
