import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseCryptography
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// A clock that stands until it is moved. A store has it, and with it the folder that it works in.
final class TestClock: Sendable {
    private let seconds = Mutex<Int64>(1_700_002_800)
    private let folder: TemporaryFolder?

    init(_ folder: TemporaryFolder? = nil) { self.folder = folder }

    var now: Int64 { seconds.withLock { $0 } }
    func advance(by amount: Int64) { seconds.withLock { $0 += amount } }
}

/// A store in a folder of its own, with chunks that are quick to make.
struct StoreFixture {
    let folder: TemporaryFolder
    let clock: TestClock
    var settings: ChunkStoreSettings

    init(quota: Int64? = nil, inMemory: Bool = true) throws {
        folder = try TemporaryFolder("valise-store", inMemory: inMemory)
        clock = TestClock(folder)
        settings = Self.settings(in: folder.path, clock: clock, quota: quota)
    }

    static func settings(in folder: FilePath, clock: TestClock, quota: Int64? = nil) -> ChunkStoreSettings {
        ChunkStoreSettings(
            folder: folder.appending("files"), log: folder.appending("log").appending("store.log"),
            quota: quota, allowedSizes: [100, 1000, 65_536], statistics: folder.appending("stats.log"),
            clock: { clock.now })
    }

    func open(_ fileSystem: FileSystem = FileSystem()) throws -> ChunkStore {
        try ChunkStore(settings, fileSystem: fileSystem)
    }

    var logLines: [String] {
        get throws {
            guard let log = settings.log else { return [] }
            let text = String(
                decoding: try FileSystem().contents(of: log, limit: 1 << 24), as: UTF8.self)
            return text.split(separator: "\n").map(String.init)
        }
    }

    /// The names in the folder of bodies.
    var bodies: [String] {
        get throws { try FileSystem().list(settings.folder).compactMap(\.name) }
    }

    // MARK: Chunks

    static func key(_ number: UInt8) -> PublicKey {
        PublicKey(.ed25519, [UInt8](repeating: number, count: 32))
    }

    static func content(_ number: Int, size: Int = 100) -> [UInt8] {
        var generator = SeededGenerator(seed: UInt64(number))
        // Eight bytes at a time: some tests have chunks of 4 MiB.
        let words = (0..<(size + 7) / 8).map { _ in generator.next() }
        return Array(words.withUnsafeBytes { $0.prefix(size) })
    }
}

/// A chunk as its sender sees it.
struct SentChunk: Sendable {
    let sender: EntityID
    var recipients: [EntityID]
    let content: [UInt8]
}

extension ChunkStore {
    /// Nil where it has others.
    private var embedded: EmbeddedRecords? { records as? EmbeddedRecords }

    var log: StoreLog? { embedded?.log }

    func compact() throws { try #require(embedded).compact() }

    /// Announces a chunk.
    func announce(_ number: Int, size: Int = 100, recipients: Int = 1) throws -> SentChunk {
        let content = StoreFixture.content(number, size: size)
        let names = try create(
            senderKey: StoreFixture.key(1), size: UInt32(size), digest: SHA256.hash(content),
            recipients: (0..<recipients).map { StoreFixture.key(UInt8($0 % 200 + 2)) })
        return SentChunk(sender: names.sender, recipients: names.recipients, content: content)
    }

    /// - Returns: false when it was there already.
    @discardableResult
    func upload(_ chunk: SentChunk, pieces: Int = 3) throws -> Bool {
        guard case .accept(let upload) = try beginUpload(chunk.sender) else { return false }
        let size = (chunk.content.count + pieces - 1) / pieces
        for start in stride(from: 0, to: chunk.content.count, by: size) {
            let piece = Array(chunk.content[start..<min(start + size, chunk.content.count)])
            try piece.withUnsafeBytes { try upload.write($0) }
        }
        try upload.finish()
        return true
    }

    /// Announces and uploads a chunk.
    func send(_ number: Int, size: Int = 100, recipients: Int = 1) throws -> SentChunk {
        let chunk = try announce(number, size: size, recipients: recipients)
        try upload(chunk)
        return chunk
    }

    /// What a recipient gets.
    func content(_ recipient: EntityID) throws -> [UInt8] {
        let chunk = try open(recipient)
        var bytes = [UInt8](repeating: 0, count: Int(chunk.size))
        try bytes.withUnsafeMutableBytes { try chunk.body.fill($0, at: 0) }
        return bytes
    }
}

/// What the client gets to hear of it; nil when it works.
func answer(_ body: () throws -> Void) -> XFTPErrorCode? {
    do {
        try body()
        return nil
    } catch {
        return (error as? XFTPStoreError)?.answer ?? .internal
    }
}
