import FaultInjection
import Synchronization
import SystemPackage
import ValiseConcurrency
import ValiseFiles
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPClient
import ValiseXFTPWire

/// A place for one test: folders in memory, relays that are not there.
final class TransferBench {
    let folder: TemporaryFolder
    let states: FilePath
    let inbox: FilePath
    let seed = UInt64.random(in: 0...UInt64.max)

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        states = folder.appending("states")
        inbox = folder.appending("inbox")
        try FileSystem().makeDirectory(inbox)
    }

    static func relay(_ number: Int) -> RelayAccess {
        RelayAccess(
            XFTPAddress(
                fingerprint: Array(repeating: UInt8(number), count: 32),
                hosts: [.domain("relay\(number).test")]))
    }

    static let one = relay(1)

    static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Makes a source.
    func file(_ content: [UInt8], _ name: String = "source.bin") throws -> FilePath {
        let path = folder.appending(name)
        try FileSystem().replace(path, with: content)
        return path
    }

    func contents(_ path: FilePath) throws -> [UInt8] {
        try FileSystem().contents(of: path, limit: 1 << 30)
    }

    /// Not by comparing in an expectation, which would look for the difference for minutes.
    func holds(_ path: FilePath, _ content: [UInt8]) throws -> Bool { try contents(path) == content }

    static func settings() -> TransferSettings {
        var settings = TransferSettings()
        settings.sleep = { _ in await Task.yield() }
        return settings
    }

    func transfers(
        _ relays: FakeRelays, fileSystem: FileSystem = FileSystem(),
        _ change: (inout TransferSettings) -> Void = { _ in }
    ) -> FileTransfers {
        var settings = Self.settings()
        change(&settings)
        return FileTransfers(relays: relays, states: states, settings: settings, fileSystem: fileSystem)
    }

    /// Names in the inbox.
    var received: [String] {
        get throws { try FileSystem().list(inbox).compactMap(\.name) }
    }

    var journals: [String] {
        get throws {
            try FileSystem().exists(states) ? FileSystem().list(states).compactMap(\.name) : []
        }
    }
}

/// Keeps the events of a transfer.
final class EventLog: Sendable {
    private let events = Mutex<[OperationEvent]>([])

    var report: EventHandler {
        { [self] event in events.withLock { $0.append(event) } }
    }

    var notes: [TransferNote] {
        events.withLock { $0 }.compactMap {
            if case .note(let note as TransferNote) = $0 { note } else { nil }
        }
    }

    var restarts: [RestartReason] {
        notes.compactMap { if case .restarted(let reason) = $0 { reason } else { nil } }
    }
    var warnings: [TransferWarning] {
        notes.compactMap { if case .warning(let it) = $0 { it } else { nil } }
    }
    var troubles: [any Error] {
        notes.compactMap { if case .troubled(_, let error) = $0 { error } else { nil } }
    }
    var resumed: [Int] { notes.compactMap { if case .resumed(let count, _) = $0 { count } else { nil } } }
    var progress: [(Int64, Int64)] {
        events.withLock { $0 }.compactMap {
            if case .progress(let step) = $0 { (step.completed, step.total ?? -1) } else { nil }
        }
    }
}

extension DownloadOptions {
    static func all(_ change: (inout DownloadOptions) -> Void = { _ in }) -> DownloadOptions {
        var options = DownloadOptions(approval: .all)
        change(&options)
        return options
    }
}

extension UploadOptions {
    static func to(
        _ relays: [RelayAccess] = [TransferBench.one], _ change: (inout UploadOptions) -> Void = { _ in }
    )
        -> UploadOptions
    {
        var options = UploadOptions(relays: relays)
        change(&options)
        return options
    }
}

extension UploadedFile {
    /// What a recipient is given: a reference for each part, as read from the text of its link.
    func references(_ recipient: Int = 0) throws -> [FileReference] {
        try links[recipient].map { link in
            try FileReference(link: link.appLink().withBytes { String(decoding: $0, as: UTF8.self) })
        }
    }
}

extension UploadedFile {
    /// All with which the file is deleted: of the parts, and of descriptions behind short links.
    var senderDescriptions: [FileDescription] {
        parts.flatMap { [$0.sender] + $0.redirects.compactMap { $0?.sender } }
    }
}
