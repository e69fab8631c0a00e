package import SystemPackage
package import ValiseRelay

/// Moves what a relay keeps into another storage: records, chunks, or both. A later run continues what an earlier one began.
package struct MigrateRelay: Operation {
    /// Of the relay.
    package var folder: FilePath
    package var source: RelayStoreChoice
    package var destination: RelayStoreChoice
    package var pass = StoreMigration.Pass.final
    /// Whether all chunks are read at the end, and compared with their digests.
    package var verifiesContent = true

    /// - Parameters:
    ///   - folder: of the relay, whose settings name both.
    ///   - source: what is moved.
    ///   - destination: another one, where it is moved to.
    package init(in folder: FilePath, from source: RelayStoreChoice, to destination: RelayStoreChoice) {
        self.folder = folder
        self.source = source
        self.destination = destination
    }

    /// What has to move to the other kind.
    private var scope: StoreMigration.Scope {
        if source.records == destination.records { return .bytes }
        return source.bodies == destination.bodies ? .records : .everything
    }

    /// - Throws: as ``run(in:)``.
    package func plan(in context: OperationContext) async throws -> StoreMigration.Plan {
        try await context.blocking { _ in try opened(for: .reading) { try $0.plan() } }
    }

    /// - Throws: ``XFTPStoreError``, see ``StoreMigration/run(_:)``.
    package func run(in context: OperationContext) async throws -> StoreMigrationReport {
        let use: RelayStores.Use = pass == .online ? .reading : .readingAlone
        return try await context.blocking { progress in try opened(for: use) { try $0.run(progress) } }
    }

    private func opened<Result>(
        for use: RelayStores.Use, _ body: (StoreMigration) throws -> Result
    ) throws -> Result {
        let relay = RelayFolder(folder)
        let settings = try relay.contents().settings
        return try relay.openStores(settings, source, for: use).used { source in
            try openDestination(relay, settings, beside: source).used { destination in
                var migration = StoreMigration(from: source, to: destination)
                migration.scope = scope
                migration.pass = pass
                migration.verifiesContent = verifiesContent
                return try body(migration)
            }
        }
    }

    private func openDestination(
        _ relay: RelayFolder, _ settings: RelaySettings, beside source: RelayStores
    ) throws -> RelayStores {
        switch scope {
        case .bytes:
            // The records are the source's, which closes them.
            RelayStores(source.records, try relay.bytes(settings, destination.bodies)) {}
        case .records: try relay.openStores(settings, destination, for: .takingOver)
        case .everything: try relay.openStores(settings, destination, for: .changing)
        }
    }
}

extension RelayStores {
    /// Does something with the stores, and closes them.
    func used<Result>(_ body: (RelayStores) throws -> Result) throws -> Result {
        do {
            let result = try body(self)
            try close()
            return result
        } catch {
            try? close()
            throw error
        }
    }
}
