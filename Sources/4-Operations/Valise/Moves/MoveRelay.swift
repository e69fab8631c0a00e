import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseRelay
import ValiseTransfers
import ValiseXFTPWire

/// A relay in this process that one account's move has for itself. Its identity, its port and its chunks outlive the
/// process, so that a link is good again when the relay is started again.
struct MoveRelay: Sendable {
    private let server: RelayServer
    private let store: ChunkStore
    private let password: RelayPassword?

    /// What the sender uses, and nobody else: links do not have the password.
    var access: RelayAccess { RelayAccess(server.address, password: password) }

    // MARK: Its folder

    /// Of the account: one move at a time has it.
    private static func folder(_ location: AccountLocation, _ folders: ValiseFolders) throws -> FilePath {
        let account = FilePath(JobPath(location.directory).absolute).appending(location.prefix)
        let name = Hexadecimal.encode(SHA256.hash(Array(account.string.utf8)).prefix(12))
        return try place(folders).appending(name)
    }

    private static func place(_ folders: ValiseFolders) throws -> FilePath {
        try MoveStates(folders).state().appending("move-relays")
    }

    /// The folders that no move under way has: a run was killed before it had made its move, or before it removed them.
    /// - Throws: ``OperationError``; `FileError`.
    static func remains(_ folders: ValiseFolders) throws -> [FilePath] {
        let (all, fileSystem) = (try place(folders), FileSystem())
        guard try fileSystem.exists(all) else { return [] }
        let moves = try MoveStates(folders).engine().moves()
        // Else it is not known which folder a move has.
        guard !moves.contains(where: { $0.isDamaged || $0.isNewer }),
            let used = try? moves.filter(\.isUnderWay).map({ move in
                try folder(AccountLocation.place(FilePath(move.directory), prefix: move.prefix), folders)
            })
        else { return [] }
        return try fileSystem.list(all).compactMap(\.name).sorted().map { all.appending($0) }
            .filter { !used.contains($0) && ServedFolder.isLeft(RelayFolder($0).path(of: .files)) }
    }

    /// Whether an earlier run was the relay of this account.
    static func isThere(_ location: AccountLocation, _ folders: ValiseFolders) throws -> Bool {
        try FileSystem().exists(RelayFolder(folder(location, folders)).path(of: .settings))
    }

    /// Removes it with all chunks.
    static func remove(_ location: AccountLocation, _ folders: ValiseFolders) throws {
        let folder = try folder(location, folders)
        if try FileSystem().exists(folder) { try FileSystem().removeTree(folder) }
    }

    /// Bytes that are free where it keeps its chunks.
    static func freeSpace(_ folders: ValiseFolders) throws -> Int64 {
        let state = try MoveStates(folders).state()
        try FileSystem().makeDirectories(state)
        return try FileSystem().freeSpace(at: state)
    }

    // MARK: Running

    /// Starts it, for the first time or again.
    ///
    /// - Parameters:
    ///   - address: by which others reach it; nil for the one that it had.
    ///   - mayChange: whether the address may be another one than before, because no link with that is out.
    /// - Throws: ``OperationError``; errors of the relay and its store.
    static func start(
        _ location: AccountLocation, _ address: ServeAddress?, mayChange: Bool, _ context: OperationContext
    ) async throws -> MoveRelay {
        let folder = RelayFolder(try folder(location, context.folders))
        var settings = try settings(folder, address, mayChange: mayChange)
        let contents = try folder.contents()
        let store = try ChunkStore(folder.storeSettings(settings))
        let configuration = RelayConfiguration(
            hosts: settings.hosts, listen: settings.listen, port: settings.port,
            identity: contents.identity, password: settings.password, limits: .fitted())
        let server = try await ServedRelay.start(configuration, store)
        if settings.port == 0 {
            settings.port = server.port
            try write(settings, folder)
        }
        context.note(RelayNote.listening(settings.listen, port: server.port))
        return MoveRelay(server: server, store: store, password: settings.password)
    }

    /// Those of its folder, which is made where it is missing.
    private static func settings(
        _ folder: RelayFolder, _ address: ServeAddress?, mayChange: Bool
    ) throws -> RelaySettings {
        if let known = try? folder.contents().settings {
            guard let address, !address.isSame(as: known) else { return known }
            guard mayChange else {
                throw OperationError(
                    .invalid,
                    "the link already shown points to \(known.hosts.map(\.text).joined()), port \(known.port)",
                    need: .sameServeAddress)
            }
            var settings = known
            settings.take(address)
            try write(settings, folder)
            return settings
        }
        guard let address else {
            throw OperationError(
                .invalid, "no address known at which others reach this machine", need: .serveAddress)
        }
        var settings = RelaySettings(hosts: [address.host], files: folder.path(of: .files))
        settings.take(address)
        settings.password = try ServedRelay.newPassword()
        let now = UTCTime.clock() - CertificateAuthority.clockTolerance
        try? FileSystem().removeTree(folder.path)
        try folder.initialize(settings, .ed448, now: now)
        return settings
    }

    private static func write(_ settings: RelaySettings, _ folder: RelayFolder) throws {
        try FileSystem().replace(folder.path(of: .settings), with: Array(settings.text.utf8))
    }

    /// Waits until the other machine has told that it received all.
    ///
    /// - Returns: false where the chunks were deleted instead.
    func serve(_ file: UploadedFile) async throws -> Bool {
        try await ServedContent([file]).areReceived(from: store)
    }

    /// The relay while it serves: it stops when it is shut down.
    var service: ShutdownService { ShutdownService { await server.stop() } }

    func stop() async { await Task { await server.stop() }.value }

    // MARK: For one step

    /// Runs a step that deletes chunks, with the relay of the account where it has one that does not run elsewhere.
    static func during<Value: Sendable>(
        _ location: AccountLocation, _ context: OperationContext, _ step: () async throws -> Value
    ) async throws -> Value {
        guard try isThere(location, context.folders) else { return try await step() }
        var quiet = context
        quiet.events = { _ in }
        let relay = try? await start(location, nil, mayChange: false, quiet)
        do {
            let value = try await step()
            await relay?.stop()
            return value
        } catch {
            await relay?.stop()
            throw error
        }
    }
}

extension ServeAddress {
    /// Whether a relay has this address already.
    fileprivate func isSame(as settings: RelaySettings) -> Bool {
        settings.hosts == [host] && (port == 0 || port == settings.port)
    }
}

extension RelaySettings {
    fileprivate mutating func take(_ address: ServeAddress) {
        (hosts, listen, port) = ([address.host], address.listen, address.port)
    }
}
