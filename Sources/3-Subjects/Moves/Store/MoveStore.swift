import SystemPackage
import ValiseAccounts
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// The records of moves: one folder for each, which is its lock too.
struct MoveStore: Sendable {
    let folder: FilePath
    let fileSystem: FileSystem
    let now: @Sendable () -> Int64
    let entered: @Sendable (MoveStep) throws -> Void

    static let recordName = "move.json"
    static let linkImageName = "link.png"
    private static let largestRecord = 64 << 20
    /// One that was just killed has its lock for a moment longer.
    private static let patience: Duration = .milliseconds(300)
    /// Whoever looks for a record has the whole store for as long as that takes.
    private static let storePatience: Duration = .seconds(10)

    // MARK: One

    /// The record of an account; nil where there is none.
    ///
    /// - Parameter id: of the only one that is asked for; nil for any.
    /// - Throws: ``DeviceMigrationError``: `moveInUse`, `damagedRecord`, `unsupported`; ``FileError``.
    func open<Move: StoredMove>(
        _ side: Move.Type, of account: MovedAccount, id: String? = nil
    ) throws -> MoveFile<Move>? {
        guard try fileSystem.exists(folder) else { return nil }
        return try locked { try find(side, account, id: id) }
    }

    /// The record of an account: the one that is there, or a new one.
    ///
    /// - Parameters:
    ///   - isOver: whether one that is there is of the past, and goes.
    ///   - first: what a new one says.
    /// - Returns: with whether it is new.
    /// - Throws: as ``open(_:of:)``.
    func openOrMake<Move: StoredMove>(
        _ account: MovedAccount, isOver: (Move) -> Bool, first: (_ id: String) throws -> Move
    ) throws -> (file: MoveFile<Move>, isNew: Bool) {
        try fileSystem.makeDirectories(folder)
        return try locked {
            if let found = try find(Move.self, account) {
                guard isOver(found.move) else { return (found, false) }
                try found.remove()
            }
            return (try make(account, first), true)
        }
    }

    private func make<Move: StoredMove>(
        _ account: MovedAccount, _ first: (_ id: String) throws -> Move
    ) throws -> MoveFile<Move> {
        let id = Self.newID()
        let place = folder.appending(id)
        try fileSystem.makeDirectory(place)
        do {
            guard let lock = try DirectoryLock(place, .exclusive) else { throw Self.inUse(id) }
            let header = MoveHeader(
                id: id, side: Move.side, account: account, created: now(), changed: now())
            let record = MoveRecord(header: header, move: try first(id))
            try MoveFile.write(record, in: place, fileSystem)
            try fileSystem.synchronizeDirectory(folder)
            return file(place, record, lock)
        } catch {
            try? Self.remove(place, fileSystem)
            throw error
        }
    }

    private func find<Move: StoredMove>(
        _ side: Move.Type, _ account: MovedAccount, id wanted: String? = nil
    ) throws -> MoveFile<Move>? {
        for id in try names() where wanted == nil || id == wanted {
            let place = folder.appending(id)
            // What cannot be understood is nobody's: whoever lists moves is told.
            guard let bytes = try allowedBytes(in: place), let header = AnyMoveRecord.header(of: bytes),
                header.side == Move.side, header.account.isSame(as: account)
            else {
                try? removeRemains(place)
                continue
            }
            try header.refuseNewer()
            if let file: MoveFile<Move> = try open(place, id) { return file }
        }
        return nil
    }

    /// Under its lock.
    private func open<Move: StoredMove>(_ place: FilePath, _ id: String) throws -> MoveFile<Move>? {
        guard let lock = try DirectoryLock.take(place, .exclusive, patience: Self.patience) else {
            throw Self.inUse(id)
        }
        // Another run may have changed or removed it.
        guard let bytes = try bytes(in: place) else { return nil }
        do {
            let record = try JSONText.decode(MoveRecord<Move>.self, from: bytes)
            return file(place, record, lock)
        } catch {
            throw DeviceMigrationError.damagedRecord(id, cause: error)
        }
    }

    private func file<Move: StoredMove>(
        _ place: FilePath, _ record: MoveRecord<Move>, _ lock: DirectoryLock
    ) -> MoveFile<Move> {
        MoveFile(place, record, lock: lock, fileSystem: fileSystem, now: now, entered: entered)
    }

    // MARK: All

    /// Also of those that another run is at; the oldest first.
    func summaries() throws -> [MoveSummary] {
        guard try fileSystem.exists(folder) else { return [] }
        return try names().compactMap { try summary($0) }.filter { $0.state != "cancelled" }
            .sorted { ($0.created, $0.directory, $0.id) < ($1.created, $1.directory, $1.id) }
    }

    /// Takes a record that is to be forgotten, also one that cannot be read.
    /// - Throws: ``DeviceMigrationError``: `noMove`; `moveInUse`; `wrongState` for one that is under way; `unsupported` for
    ///   one of a newer version; ``FileError`` where it cannot be looked at.
    func removal(of id: String) throws -> MoveRemoval {
        let place = folder.appending(id)
        guard !id.contains("/"), id.first != ".", let bytes = try bytes(in: place) else {
            throw DeviceMigrationError(.noMove, "no such move", subject: id)
        }
        guard let lock = try DirectoryLock.take(place, .exclusive, patience: Self.patience) else {
            throw Self.inUse(id)
        }
        let header = AnyMoveRecord.header(of: bytes)
        try header?.refuseNewer()
        let summary = MoveSummary(id, bytes, isRunning: false)
        guard !summary.isUnderWay else {
            let account = Remedy.Account(directory: FilePath(summary.directory), prefix: summary.prefix)
            throw DeviceMigrationError(
                .wrongState, "this move is not finished. Nothing was removed.", subject: id,
                remedy: .continueOrCancelMove(account))
        }
        return MoveRemoval(place: place, header: header, lock: lock, fileSystem: fileSystem)
    }

    /// - Returns: nil where there is no record.
    private func summary(_ id: String) throws -> MoveSummary? {
        let place = folder.appending(id)
        do {
            guard let bytes = try bytes(in: place) else { return nil }
            let holder = try? LockHolder.ofFolder(place, fileSystem)
            var summary = MoveSummary(id, bytes, isRunning: holder != nil)
            summary.process = holder.flatMap { $0 > 0 ? $0 : nil }
            return summary
        } catch is FileError {
            // Another user's, or on a disk that fails: the others are told all the same.
            return MoveSummary(unreadable: id, isRunning: false)
        }
    }

    // MARK: Parts

    private func locked<Result>(_ body: () throws -> Result) throws -> Result {
        let patience = Self.storePatience
        guard let lock = try DirectoryLock.take(folder, .exclusive, patience: patience) else {
            throw DeviceMigrationError(
                .moveInUse, "another run is using the move records",
                subject: folder.string)
        }
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    private func names() throws -> [String] {
        try fileSystem.list(folder).filter { $0.kind == .directory }.compactMap(\.name)
    }

    private func bytes(in place: FilePath) throws -> [UInt8]? {
        let path = place.appending(Self.recordName)
        guard try fileSystem.exists(path) else { return nil }
        return try fileSystem.contents(of: path, limit: Self.largestRecord)
    }

    /// - Returns: nil for what another user has, such as root after a run with sudo: no move of this user waits for it.
    private func allowedBytes(in place: FilePath) throws -> [UInt8]? {
        do {
            return try bytes(in: place)
        } catch let error as FileError where error.code == .denied {
            return nil
        }
    }

    /// A folder without a record: a run was killed when it made or removed it.
    private func removeRemains(_ place: FilePath) throws {
        guard try !fileSystem.exists(place.appending(Self.recordName)),
            let lock = try DirectoryLock(place, .exclusive)
        else { return }
        defer { withExtendedLifetime(lock) {} }
        try Self.remove(place, fileSystem)
    }

    /// The record first: the rest is nothing without it.
    static func remove(_ place: FilePath, _ fileSystem: FileSystem) throws {
        let record = place.appending(recordName)
        if try fileSystem.exists(record) { try fileSystem.remove(record) }
        try fileSystem.removeTree(place)
        try fileSystem.synchronizeDirectory(place.parentFolder)
    }

    private static func newID() -> String {
        let letters = MoveSummary.lettersOfID
        return String((0..<MoveSummary.lengthOfID).map { _ in letters[Int.random(in: letters.indices)] })
    }

    private static func inUse(_ id: String) -> DeviceMigrationError {
        DeviceMigrationError(
            .moveInUse, "another run is working on this move", subject: id)
    }
}

extension MoveSummary {
    fileprivate init(_ id: String, _ bytes: [UInt8], isRunning: Bool) {
        guard let header = AnyMoveRecord.header(of: bytes) else {
            self.init(unreadable: id, isRunning: isRunning)
            return
        }
        guard header.version <= MoveHeader.newest else {
            self.init(newer: header, isRunning: isRunning)
            return
        }
        let summary =
            switch header.side {
            case .sending: Self.read(SendingMove.self, header, bytes, isRunning)
            case .receiving: Self.read(ReceivingMove.self, header, bytes, isRunning)
            }
        self = summary ?? Self(unreadable: id, isRunning: isRunning)
    }

    private static func read<Move: StoredMove>(
        _: Move.Type, _ header: MoveHeader, _ bytes: [UInt8], _ isRunning: Bool
    ) -> MoveSummary? {
        guard let move = try? JSONText.decode(MoveRecord<Move>.self, from: bytes).move else { return nil }
        var summary = MoveSummary(
            id: header.id, side: header.side, directory: header.account.directory,
            prefix: header.account.prefix, state: move.state.name.rawValue, reason: move.state.reason,
            created: header.created, changed: header.changed, isRunning: isRunning, isDamaged: false)
        move.describe(&summary)
        return summary
    }

    private init(newer header: MoveHeader, isRunning: Bool) {
        self.init(
            id: header.id, side: header.side, directory: header.account.directory,
            prefix: header.account.prefix, state: nil, reason: nil, created: header.created,
            changed: header.changed, isRunning: isRunning, isDamaged: false, isNewer: true)
    }

    fileprivate init(unreadable id: String, isRunning: Bool) {
        self.init(
            id: id, side: .sending, directory: "", prefix: "", state: nil, reason: nil, created: 0,
            changed: 0,
            isRunning: isRunning, isDamaged: true)
    }
}
