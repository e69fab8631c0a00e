import SystemPackage
import ValiseCryptography
import ValiseFailures
import ValiseFiles
import ValisePostgres
import ValiseSecrets
import ValiseStorage

extension RelayFolder {
    /// Where chunks are that are being transferred to or from a storage server.
    private static let spool = "spool"
    /// Chunks leave or come in within a minute or two over any line; then a storage server that says nothing is out of reach.
    private static let storageStallSeconds = 20

    /// Opens the store that the settings name, to serve from it.
    ///
    /// Embedded records and their bodies are this process's alone. Of a database, and of bodies that belong to it, any number of
    /// processes may be users; each has a folder like this one for itself.
    ///
    /// - Throws: ``XFTPStoreError``: `inUse` where another process has what only one may have; `unavailable` where a database or a
    ///   storage server cannot be reached; ``XFTPRelayError`` for settings that cannot be followed.
    package func openStore(_ settings: RelaySettings) throws -> ChunkStore {
        let store = storeSettings(settings)
        let bodies = settings.store.bodies
        switch settings.store.records {
        case .embedded:
            let bytes = try bytes(settings, bodies, sharesNames: true, serves: true)
            return try ChunkStore(store, bytes, fileSystem: fileSystem)
        case .postgres:
            var locks = [try ChunkStore.lock(path, .exclusive)]
            if bodies == .folder { locks.append(try shareBodies(store.folder)) }
            let bytes = try bytes(settings, bodies, serves: true)
            return ChunkStore(try database(settings), bytes, store.rules, locks: locks)
        }
    }

    /// Opens records and bytes for somebody who does not serve, whether the settings have them in use or only name them.
    ///
    /// - Parameters:
    ///   - settings: of this relay.
    ///   - choice: which; nil for those in use.
    ///   - use: what for. Of a database nobody is kept away.
    /// - Throws: as ``openStore(_:)``.
    package func openStores(
        _ settings: RelaySettings, _ choice: RelayStoreChoice? = nil, for use: RelayStores.Use
    ) throws -> RelayStores {
        let choice = choice ?? settings.store
        let store = storeSettings(settings)
        switch (choice.records, use) {
        case (.embedded, .reading), (.embedded, .readingAlone):
            return try RelayStores.reading(
                store, bytes(settings, choice.bodies, sharesNames: true), alone: use == .readingAlone,
                fileSystem: fileSystem)
        case (.embedded, .changing):
            let opened = try ChunkStore(
                store, bytes(settings, choice.bodies, sharesNames: true), fileSystem: fileSystem)
            return RelayStores(opened.records, opened.bytes) { try opened.close() }
        case (.embedded, .takingOver):
            // A database's records have given each body a name of its own.
            return try RelayStores.takingOver(
                store, bytes(settings, choice.bodies), fileSystem: fileSystem)
        case (.postgres, _):
            let bytes = try bytes(settings, choice.bodies)
            return RelayStores(
                try database(settings), use == .takingOver ? StayingBytes(bytes) : bytes)
        }
    }

    /// Keeps relays with embedded records from a folder of bodies, and others from none. Who comes first removes what uploads left
    /// that were interrupted.
    private func shareBodies(_ folder: FilePath) throws -> DirectoryLock {
        try fileSystem.makeDirectories(folder)
        if let lock = try DirectoryLock(folder, .exclusive) {
            _ = try withExtendedLifetime(lock) {
                try ChunkFolder(folder, sharesNames: false, fileSystem: fileSystem).takeStock { _ in }
            }
        }
        return try ChunkStore.lock(folder, .shared)
    }

    // MARK: Bodies

    /// The bytes of a kind.
    /// - Parameters:
    ///   - settings: of this relay.
    ///   - kind: which.
    ///   - sharesNames: as ``ChunkFolder``.
    ///   - serves: whether they are opened to serve from: then the server is asked to remove what is too old.
    /// - Throws: ``XFTPStoreError``; ``XFTPRelayError`` for settings that cannot be followed.
    package func bytes(
        _ settings: RelaySettings, _ kind: RelayStoreChoice.Bodies, sharesNames: Bool = false,
        serves: Bool = false
    ) throws -> any ChunkBytes {
        switch kind {
        case .folder:
            return ChunkFolder(settings.files, sharesNames: sharesNames, fileSystem: fileSystem)
        case .s3:
            let spool = path.appending(Self.spool)
            try fileSystem.makeDirectories(spool)
            let bucket = try bucket(settings)
            if serves, let days = settings.objects?.expiryDays {
                _ = try bucket.setExpiry(below: ChunkObjects.usualPrefix, afterDays: days)
            }
            return ChunkObjects(
                RetryingObjectStore(bucket, .whileClientsWait), spool: spool, fileSystem: fileSystem)
        }
    }

    private func bucket(_ settings: RelaySettings) throws -> S3ObjectStore {
        guard let objects = settings.objects else {
            throw XFTPRelayError.missing("endpoint", RelaySettings.objectsSection)
        }
        var bucket = S3Store.Settings(
            endpoint: try HTTPAddress(objects.endpoint), bucket: objects.bucket, prefix: objects.prefix,
            region: objects.region, accessKey: objects.accessKey,
            secret: SharedSecret(try SecretBytes(firstLineOf: objects.secretKeyFile, fileSystem)))
        bucket.isPathStyle = objects.isPathStyle
        var connection = HTTPTransfer.Settings()
        connection.authorities = objects.authorities
        connection.connectSeconds = 5
        connection.stallSeconds = Self.storageStallSeconds
        // Each thread has one request at a time.
        connection.mostIdleConnections = max(
            connection.mostIdleConnections, settings.serving.threads ?? RelayLimits.usualThreads)
        return try S3ObjectStore(bucket, connection)
    }

    // MARK: Records

    private func database(_ settings: RelaySettings) throws -> PostgresRecords {
        guard let database = settings.database else {
            throw XFTPRelayError.missing("db_connection", "STORE_LOG")
        }
        let password = database.passwordFile.map { PostgresPassword.file($0, fileSystem) } ?? .none
        var connection = try PostgresSettings(
            PostgresAddress(database.address), password: password, schema: database.schema)
        connection.applicationName = "valise-relay"
        let pool = PostgresPool(connection, PostgresPool.Limits(connections: database.connections))
        do {
            return try PostgresRecords(pool, quota: settings.quota)
        } catch {
            pool.close()
            throw error
        }
    }
}
