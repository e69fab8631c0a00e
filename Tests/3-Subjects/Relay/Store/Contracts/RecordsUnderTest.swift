import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseCryptography
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// Records of one implementation with nothing in them, and bytes that go with them.
struct RecordsUnderTest: Sendable {
    /// Full hours since 1970, in seconds.
    static let now: Int64 = 1_700_002_800
    /// Of most chunks, in bytes.
    static let size = 100

    let records: any ChunkRecords
    let bytes: any ChunkBytes
    /// The same records, as another process has them; the same once more where one process has them for itself.
    var others: [any ChunkRecords] = []
    /// Closes the records and opens them as the next process finds them; nil where they do not outlive theirs.
    var reopen: (@Sendable () throws -> any ChunkRecords)?

    /// As many of them as there are threads.
    func records(of thread: Int) -> any ChunkRecords {
        let all = [records] + others
        return all[thread % all.count]
    }
}

/// Makes records of one implementation. A further one is a further element of ``all``; one that needs a server is left out
/// where there is none.
struct RecordsFactory: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Empty records with a quota in bytes; nil for none.
    let make: @Sendable (Int64?) throws -> RecordsUnderTest

    static var all: [RecordsFactory] {
        [logged, loggedWithNames, unlogged, model, modelWithObjects] + [postgres].compactMap { $0 }
    }

    private static func settings(_ folder: TemporaryFolder, _ quota: Int64?) -> ChunkStoreSettings {
        StoreFixture.settings(in: folder.path, clock: TestClock(folder), quota: quota)
    }

    /// The default: a log and files.
    private static let logged = RecordsFactory(testDescription: "embedded, a log, files") { quota in
        let folder = try TemporaryFolder("valise-records", inMemory: true)
        let settings = settings(folder, quota)
        try FileSystem().makeDirectories(settings.folder)
        return try embedded(settings, ChunkFolder(settings.folder))
    }

    /// Where uploads have names of their own, as on a storage server.
    private static let loggedWithNames = RecordsFactory(testDescription: "embedded, a log, objects") {
        quota in
        let folder = try TemporaryFolder("valise-records", inMemory: true)
        return try embedded(settings(folder, quota), MemoryBytes(sharesNames: false))
    }

    private static let unlogged = RecordsFactory(testDescription: "embedded, no log") { quota in
        var settings = settings(try TemporaryFolder("valise-records", inMemory: true), quota)
        settings.log = nil
        var made = try embedded(settings, MemoryBytes(sharesNames: true))
        made.reopen = nil
        return made
    }

    /// Three processes with one database and one storage server.
    private static let modelWithObjects = RecordsFactory(
        testDescription: "a model of a database, a store of objects"
    ) {
        quota in
        let database = ModelDatabase(quota: quota)
        return RecordsUnderTest(
            records: ModelRecords(database), bytes: try ObjectsFixture.inFolder(),
            others: [ModelRecords(database), ModelRecords(database)],
            reopen: { ModelRecords(database) })
    }

    private static func embedded(
        _ settings: ChunkStoreSettings, _ bytes: any ChunkBytes
    ) throws -> RecordsUnderTest {
        let records = try EmbeddedRecords(settings, bytes, locks: [])
        let last = Mutex(records)
        return RecordsUnderTest(
            records: records, bytes: bytes, others: [],
            reopen: {
                try last.withLock { last in
                    try last.close()
                    last = try EmbeddedRecords(settings, bytes, locks: [])
                    return last
                }
            })
    }

    /// Three processes with one database.
    private static let model = RecordsFactory(testDescription: "a model of a database, objects") { quota in
        let database = ModelDatabase(quota: quota)
        return RecordsUnderTest(
            records: ModelRecords(database), bytes: MemoryBytes(sharesNames: false),
            others: [ModelRecords(database), ModelRecords(database)],
            reopen: { ModelRecords(database) })
    }
}

/// What records promise, asked of each implementation.
struct ChunkRecordsContractTests {
    static let now = RecordsUnderTest.now
    static let hour = UInt32(now / 3600)

    /// A chunk that was announced.
    struct Announced: Sendable {
        let chunk: NewStoredChunk
        let recipients: [NewStoredRecipient]
        let content: [UInt8]

        var id: StoredID { chunk.id }
    }

    static func chunk(
        _ number: Int, recipients: Int = 2, size: Int = RecordsUnderTest.size, hour: UInt32 = hour,
        status: ChunkStatus = .active
    ) -> Announced {
        let content = StoreFixture.content(number, size: size)
        return Announced(
            chunk: NewStoredChunk(
                id: StoredID(), key: StoreFixture.key(1), size: UInt32(size), digest: SHA256.hash(content),
                hour: hour, status: status),
            recipients: (0..<recipients).map {
                NewStoredRecipient(id: StoredID(), key: StoreFixture.key(UInt8($0 % 200 + 2)))
            }, content: content)
    }

    static func answer(_ body: () throws -> Void) -> XFTPErrorCode? {
        do {
            try body()
            return nil
        } catch {
            return (error as? XFTPStoreError)?.answer ?? .crypto
        }
    }
}

extension RecordsUnderTest {
    typealias Announced = ChunkRecordsContractTests.Announced

    func announce(
        _ number: Int, recipients: Int = 2, size: Int = RecordsUnderTest.size,
        hour: UInt32 = ChunkRecordsContractTests.hour, status: ChunkStatus = .active
    ) throws -> Announced {
        let chunk = ChunkRecordsContractTests.chunk(
            number, recipients: recipients, size: size, hour: hour, status: status)
        try records.create(chunk.chunk, chunk.recipients)
        return chunk
    }

    /// Reserves space; nil where the body is here.
    func reserve(
        _ chunk: StoredID, upload: UInt64 = .random(in: 1 ... .max), at now: Int64 = now,
        lifetime: Int64 = 3600, in records: (any ChunkRecords)? = nil
    ) throws -> BodyReservation? {
        try (records ?? self.records).reserve(chunk, upload: upload, at: now, until: now + lifetime)
    }

    /// A body that is ready to be published.
    func body(_ content: [UInt8], for reservation: BodyReservation) throws -> any IncomingBody {
        let body = try bytes.begin(reservation.name, size: reservation.size, digest: reservation.digest)
        try content.withUnsafeBytes { try body.write($0) }
        try body.finish()
        return body
    }

    /// - Returns: false when it is here already.
    @discardableResult
    func upload(_ chunk: Announced, in records: (any ChunkRecords)? = nil) throws -> Bool {
        guard let reservation = try reserve(chunk.id, in: records) else { return false }
        return try (records ?? self.records).complete(
            reservation, try body(chunk.content, for: reservation))
    }

    func send(_ number: Int, hour: UInt32 = ChunkRecordsContractTests.hour) throws -> Announced {
        let chunk = try announce(number, hour: hour)
        try upload(chunk)
        return chunk
    }

    /// What a recipient gets.
    func content(_ recipient: StoredID) throws -> [UInt8] {
        let body = try records.body(ofRecipient: recipient)
        return try bytes.content(body.name, size: body.size)
    }

    /// Names of bodies, and those of them that records know.
    func names() throws -> (stored: Set<BodyName>, known: Set<BodyName>) {
        var (stored, known): (Set<BodyName>, Set<BodyName>) = ([], [])
        try bytes.list(after: nil) {
            stored.insert($0.name)
            return true
        }
        try records.forEach(after: nil) {
            if let body = $0.body { known.insert(body.name) }
            return true
        }
        return (stored, known)
    }
}

extension ChunkBytes {
    func content(_ name: BodyName, size: UInt32) throws -> [UInt8] {
        let body = try #require(try open(name, size: size))
        var content = [UInt8](repeating: 0, count: Int(size))
        try content.withUnsafeMutableBytes { try body.fill($0, at: 0) }
        body.close()
        return content
    }
}

/// A body that is nowhere, and remembers what became of it.
final class ProbeBody: IncomingBody {
    struct Calls: Equatable, Sendable {
        var published = 0
        var cancelled = 0
    }

    private let state = Mutex(Calls())
    private let failure: XFTPStoreError?

    /// - Parameter failure: of publishing.
    init(failure: XFTPStoreError? = nil) { self.failure = failure }

    var calls: Calls { state.withLock { $0 } }

    func write(_ bytes: UnsafeRawBufferPointer) throws {}
    func finish() throws {}

    func publish() throws {
        state.withLock { $0.published += 1 }
        if let failure { throw failure }
    }

    func cancel() throws { state.withLock { $0.cancelled += 1 } }
}
