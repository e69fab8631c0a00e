import Synchronization
import SystemPackage
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// The folder beside the target in which a file is received: its journal, its content, and what follows the content of
/// each part.
final class DownloadJournal: Sendable {
    let folder: FilePath
    private let file: JournalFile
    private let known: Mutex<DownloadState>
    private let fileSystem: FileSystem

    private static let prefix = ".valise-receive-"
    private static let encryptedSuffix = ".encrypted"
    private static let journalName = "journal"
    private static let contentName = "content"
    private static let tailName = "tail"

    private init(_ folder: FilePath, _ file: JournalFile, _ state: DownloadState, _ fileSystem: FileSystem) {
        self.folder = folder
        self.file = file
        self.fileSystem = fileSystem
        known = Mutex(state)
    }

    /// Gives it back to other runs.
    func close() { file.close() }

    var state: DownloadState { known.withLock { $0 } }
    var content: FilePath { folder.appending(Self.contentName) }

    /// What follows the content of a part.
    func tail(ofPart number: Int) -> FilePath {
        folder.appending(Self.tailName + (number == 0 ? "" : ".\(number)"))
    }

    /// Opens what an earlier run left, or begins, as where that is damaged.
    ///
    /// - Parameter target: the folder that the file will lie in.
    /// - Throws: ``FileTransferError``: `alreadyReceiving`; ``FileError``; `SecretsError`.
    static func open(
        in target: FilePath, _ request: DownloadRequest, fileSystem: FileSystem
    ) throws -> DownloadJournal {
        let folder = target.appending(name(request))
        try fileSystem.makeDirectories(folder)
        let path = folder.appending(journalName)
        var state = DownloadState()
        let opened =
            try fileSystem.exists(path)
            ? JournalFile.open(path, fileSystem: fileSystem, isResetWhenDamaged: true) {
                state.apply(try DownloadRecord(from: &$0))
            } : JournalFile.create(path, fileSystem: fileSystem)
        guard let opened else { throw busy(folder) }
        if opened.wasReset { state = DownloadState() }
        let journal = DownloadJournal(folder, opened, state, fileSystem)
        try journal.prepare(request)
        return journal
    }

    /// Opens what an earlier run left of this, and changes nothing of it.
    ///
    /// - Returns: nil where there is nothing, or nothing that can be resumed.
    /// - Throws: as ``open(in:_:fileSystem:)``.
    static func find(
        in target: FilePath, _ request: DownloadRequest, fileSystem: FileSystem
    ) throws -> DownloadJournal? {
        let folder = target.appending(name(request))
        let path = folder.appending(journalName)
        guard try fileSystem.exists(path) else { return nil }
        var state = DownloadState()
        do {
            let opened = try JournalFile.open(path, fileSystem: fileSystem) {
                state.apply(try DownloadRecord(from: &$0))
            }
            guard let opened else { throw busy(folder) }
            guard state.belongs(to: request) else { return nil }
            return DownloadJournal(folder, opened, state, fileSystem)
        } catch let error as FileTransferError where error.code == .damaged {
            return nil
        }
    }

    /// What is in a folder, without keeping other runs from using it.
    /// - Returns: nil where no journal is.
    /// - Throws: ``FileError``; ``FileTransferError``.
    static func look(in folder: FilePath, fileSystem: FileSystem) throws -> InterruptedDownload? {
        let path = folder.appending(journalName)
        guard folder.lastComponent?.string.hasPrefix(prefix) == true, try fileSystem.exists(path) else {
            return nil
        }
        var state = DownloadState()
        do {
            try JournalFile.look(path, fileSystem: fileSystem) { input in
                state.apply(try DownloadRecord(from: &input))
                return true
            }
        } catch let error as FileTransferError where error.code == .damaged {
            // The next run begins anew.
        }
        return InterruptedDownload(
            isPublishing: state.publishing != nil,
            isRunning: try JournalFile.isUsed(path, fileSystem: fileSystem))
    }

    static func folder(in target: FilePath, _ request: DownloadRequest) -> FilePath {
        target.appending(name(request))
    }

    /// The folder of what an earlier run left of this in another form; nil where there is none.
    static func otherForm(
        in target: FilePath, _ request: DownloadRequest, fileSystem: FileSystem
    ) throws -> FilePath? {
        var other = request
        other.isEncrypted.toggle()
        let folder = target.appending(name(other))
        return try fileSystem.exists(folder.appending(contentName)) ? folder : nil
    }

    /// Each form has a name of its own: neither disturbs what was received of the other.
    private static func name(_ request: DownloadRequest) -> String {
        let digest = request.identity.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return prefix + String(digest, radix: 36) + (request.isEncrypted ? encryptedSuffix : "")
    }

    private static func busy(_ folder: FilePath) -> FileTransferError {
        FileTransferError(
            .alreadyReceiving, .inUse,
            "another run is receiving this file here",
            subject: folder.parentFolder.string)
    }

    private func prepare(_ request: DownloadRequest) throws {
        let previous = state
        if previous.belongs(to: request) { return }
        if previous.identity != nil {
            // Another file, whose name only begins alike: what is there is of no use.
            if try fileSystem.exists(content) { try fileSystem.remove(content) }
            try file.reset()
            known.withLock { $0 = DownloadState() }
        }
        let keys = request.isEncrypted ? try CryptoFileArgs() : nil
        try append(.request(identity: request.identity, keys: keys), durable: true)
    }

    func append(_ record: DownloadRecord, durable: Bool = false) throws {
        try file.append(record, durable: durable)
        known.withLock { $0.apply(record) }
    }

    /// Removes the folder; the journal last, which says what the rest is.
    func remove() throws {
        try Self.remove(folder, fileSystem)
    }

    private static func remove(_ folder: FilePath, _ fileSystem: FileSystem) throws {
        for entry in try fileSystem.list(folder) where entry.name != journalName {
            guard let component = FilePath.Component(bytes: entry.nameBytes) else { continue }
            try fileSystem.remove(folder.appending(component))
        }
        try fileSystem.removeTree(folder)
        try fileSystem.synchronizeDirectory(folder.parentFolder)
    }

    // MARK: Abandoned ones

    /// Removes what other downloads left in a folder a long time ago. What cannot be removed stays.
    ///
    /// - Parameters:
    ///   - request: of the download that is not touched.
    ///   - time: in seconds since 1970; what was used since then stays.
    static func removeAbandoned(
        in target: FilePath, but request: DownloadRequest, before time: Int64, fileSystem: FileSystem
    ) {
        var found: [String] = []
        try? fileSystem.forEachEntry(of: target) { entry in
            if entry.kind == .directory, let name = entry.name, name.hasPrefix(prefix) { found.append(name) }
        }
        for name in found where name != self.name(request) {
            try? removeAbandoned(target.appending(name), before: time, fileSystem)
        }
    }

    private static func removeAbandoned(_ folder: FilePath, before time: Int64, _ fileSystem: FileSystem)
        throws
    {
        let path = folder.appending(journalName)
        guard let journal = try fileSystem.attributes(of: path) else {
            // Killed before it had one, or when it removed it. What is not empty is not removed, nor is it ours.
            guard let found = try fileSystem.attributes(of: folder), found.modificationTime < time else {
                return
            }
            return try fileSystem.removeDirectory(folder)
        }
        guard journal.modificationTime < time else { return }
        // Nobody else's: it has the beginning of a journal, and nobody uses it.
        guard let file = try JournalFile.open(path, fileSystem: fileSystem, replay: { _ in }) else { return }
        defer { file.close() }
        try remove(folder, fileSystem)
    }
}
