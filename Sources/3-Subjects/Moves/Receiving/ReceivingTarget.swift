import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseArchives
import ValiseFailures
import ValiseFiles

/// The place of the account that is received.
struct ReceivingTarget: Sendable {
    let location: AccountLocation
    let fileSystem: FileSystem

    /// Locks what is there, and completes or removes what an interrupted operation left. Nothing, where the folder is not there.
    /// - Throws: ``DeviceMigrationError`` with `targetInUse`; as ``AccountWriter``.
    func open() throws -> AccountWriter? {
        guard try fileSystem.isDirectory(location.directory) else { return nil }
        return try unused { try AccountWriter(location, fileSystem: fileSystem) }
    }

    private func unused<Value>(_ lock: () throws -> Value) throws -> Value {
        do {
            return try lock()
        } catch let error as AccountError where error.code == .inUse {
            throw DeviceMigrationError(
                .targetInUse,
                "the account in this folder is in use\(error.holder.map { " by \($0)" } ?? ""). Nothing was "
                    + "changed.",
                subject: error.path.string, remedy: error.remedy ?? .closeProgram)
        }
    }

    /// Sees to it that the account may be put here, before anything is received.
    /// - Returns: what an interrupted operation had left.
    func check(replacesAccount: Bool) throws -> AccountRecovery? {
        let account = try open()
        defer { withExtendedLifetime(account) {} }
        if account == nil { try fileSystem.checkMayChange(existingFolder()) }
        try refuseExisting(replacesAccount)
        return account?.recovery
    }

    /// What ``check(replacesAccount:)`` refuses, as far as it shows while nothing is changed.
    func look(replacesAccount: Bool) throws {
        if try fileSystem.isDirectory(location.directory) {
            _ = try unused { try AccountWriter.lockForPlan(location, fileSystem: fileSystem) }
        } else {
            try fileSystem.checkMayChange(existingFolder())
        }
        try refuseExisting(replacesAccount)
    }

    private func refuseExisting(_ replacesAccount: Bool) throws {
        guard !replacesAccount, let found = try databases().first else { return }
        throw DeviceMigrationError(
            .accountExists,
            "this folder already has an account. Nothing was received.",
            subject: found.string, remedy: .chooseFolderOrReplace(Remedy.Account(location)))
    }

    /// The databases that are there.
    func databases() throws -> [FilePath] {
        try AccountDatabase.allCases.map { location.path(of: $0) }.filter { try fileSystem.exists($0) }
    }

    /// The account's folder, or the one in which it will be made: all that is received lies there, on the file system of
    /// the account.
    private func existingFolder() throws(FileError) -> FilePath {
        try fileSystem.nearestExisting(location.directory)
    }

    // MARK: What is received

    /// Where it is put.
    func workFolder(_ id: String) throws -> FilePath {
        try fileSystem.resolve(existingFolder()).appending(AccountLocation.receptionName(id))
    }

    func removeWork(of move: ReceivingMove) throws {
        guard let work = move.workFolder.map({ FilePath($0) }), try fileSystem.exists(work) else { return }
        try fileSystem.removeTree(work)
        try fileSystem.synchronizeDirectory(work.parentFolder)
    }

    /// Bytes that are free for the archive and the account, those that were received before among them.
    func available(_ work: FilePath) throws -> Int64 {
        let received = try fileSystem.exists(work) ? size(of: work) : 0
        return try fileSystem.freeSpace(at: existingFolder()) + received
    }

    private func size(of folder: FilePath) throws -> Int64 {
        try fileSystem.list(folder).reduce(0) { sum, entry in
            guard let name = FilePath.Component(bytes: entry.nameBytes) else { return sum }
            let path = folder.appending(name)
            return sum
                + (entry.kind == .directory
                    ? try size(of: path) : try fileSystem.attributes(of: path)?.size ?? 0)
        }
    }

    // MARK: What is in place

    /// By which a later run knows that what is replaced is still there.
    func previousOnes() throws -> [ReceivingMove.Previous] {
        try databases().compactMap { path in
            try fileSystem.attributes(of: path).map { ReceivingMove.Previous(FileStamp($0)) }
        }
    }

    /// Whether both databases are those of an archive, byte for byte.
    func holds(_ content: ArchiveStorage) throws -> Bool {
        for database in AccountDatabase.allCases {
            let path = location.path(of: database)
            guard let entry = content.index.entry(named: database.archiveName), try fileSystem.exists(path)
            else {
                return false
            }
            let file = try FileSource(path, fileSystem: fileSystem)
            guard file.size == entry.size, try Self.areEqual(entry, content.contents, file) else {
                return false
            }
        }
        return true
    }

    private static func areEqual(
        _ entry: ZipEntry, _ contents: ZipContents, _ file: FileSource
    ) throws -> Bool {
        var isEqual = true
        var offset: Int64 = 0
        var buffer: [UInt8] = []
        try unsafe contents.read(entry) { bytes in
            guard isEqual else { return }
            if buffer.count < bytes.count { buffer = Array(repeating: 0, count: bytes.count) }
            isEqual = try unsafe buffer.withUnsafeMutableBytes { memory in
                let part = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count])
                try unsafe file.fill(part, at: offset)
                return unsafe part.elementsEqual(bytes)
            }
            offset += Int64(bytes.count)
        }
        return isEqual
    }

    /// How many media are in place that an archive does not have.
    func foreignMedia(_ content: ArchiveStorage) throws -> Int {
        let index = content.index
        let folders = [
            (location.filesFolder, ArchiveLayout.files),
            (location.wallpapersFolder, ArchiveLayout.wallpapers),
        ]
        return try folders.reduce(0) { sum, pair in
            guard try fileSystem.isDirectory(pair.0) else { return sum }
            return try sum
                + fileSystem.list(pair.0).count { entry in
                    guard entry.kind == .regular else { return false }
                    return entry.name.flatMap { index.entry(named: "\(pair.1)/\($0)") } == nil
                }
        }
    }
}
