import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseCryptography
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// Stores with chunks in all states.
struct MovingStore {
    let records: any ChunkRecords
    let bytes: any ChunkBytes
    /// What the bodies were sent with.
    private(set) var contents: [StoredID: [UInt8]] = [:]

    init(_ made: RecordsUnderTest) { (records, bytes) = (made.records, made.bytes) }

    init(_ records: any ChunkRecords, _ bytes: any ChunkBytes) {
        (self.records, self.bytes) = (records, bytes)
    }

    var stores: RelayStores { RelayStores(records, bytes) }
    private var made: RecordsUnderTest { RecordsUnderTest(records: records, bytes: bytes) }

    /// All chunks, in the order of their names.
    var listed: [ListedChunk] {
        get throws { try records.listed }
    }

    // MARK: Chunks

    /// Adds chunks in all states that there are.
    mutating func fill(_ count: Int, _ generator: inout SeededGenerator) throws {
        for _ in 0..<count {
            let number = Int.random(in: 0..<1_000_000, using: &generator)
            let status =
                [ChunkStatus.active, .active, .active, .active, .off, .blocked(BlockingInfo(.spam))]
                .randomElement(using: &generator) ?? .active
            let recipients =
                Int.random(in: 0..<40, using: &generator) == 0 ? 600 : .random(in: 0...4, using: &generator)
            let chunk = ChunkRecordsContractTests.chunk(
                number, recipients: min(recipients, 255),
                size: [100, 1000].randomElement(using: &generator) ?? 100,
                hour: ChunkRecordsContractTests.hour - UInt32.random(in: 0...40, using: &generator),
                status: status)
            try records.create(chunk.chunk, chunk.recipients)
            contents[chunk.id] = chunk.content
            guard status == .active else { continue }
            if recipients > 255 {
                for _ in 0..<2 { try records.addRecipients(Self.recipients(170), to: chunk.id) }
            }
            if Int.random(in: 0..<4, using: &generator) > 0 { try made.upload(chunk) }
            try change(chunk.id, &generator)
        }
    }

    static func recipients(_ count: Int) -> [NewStoredRecipient] {
        (0..<count).map { NewStoredRecipient(id: StoredID(), key: StoreFixture.key(UInt8($0 % 200 + 2))) }
    }

    /// Does with a chunk what clients and operators do, or nothing.
    mutating func change(_ id: StoredID, _ generator: inout SeededGenerator) throws {
        guard let chunk = try records.listed(id), chunk.chunk.status == .active else { return }
        let recipient = chunk.recipients.randomElement(using: &generator)?.id
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: if let recipient { try records.acknowledge(recipient) }
        case 1: for recipient in chunk.recipients { try records.acknowledge(recipient.id) }
        case 2: try records.addRecipients(Self.recipients(1), to: id)
        case 3:
            guard let recipient else { return }
            try records.remove(.byOperator(recipient: recipient), as: .blocked(BlockingInfo(.content))) {
                try bytes.remove($0)
            }
        case 4:
            if let body = chunk.body {
                try records.markMissing(body) {
                    try bytes.remove(body.name); return false
                }
            }
        case 5: try records.remove(.bySender(id), as: .deleted) { try bytes.remove($0) }
        default: break
        }
    }

    /// Takes a body away; nobody says so.
    func lose(_ id: StoredID) throws {
        if let body = try records.listed(id)?.body { try bytes.remove(body.name) }
    }

    /// Stores other bytes under the name of a body.
    func damage(_ id: StoredID, size: Int? = nil) throws {
        guard let chunk = try records.listed(id), let body = chunk.body else { return }
        try bytes.remove(body.name)
        try bytes.store([UInt8](repeating: 7, count: size ?? Int(body.size)), as: body.name)
    }

    // MARK: Comparison

    /// Whether the other store has the same chunks, and the bodies that are here and intact.
    func expectCopy(_ other: MovingStore, sameNames: Bool = false, _ comment: Comment? = nil) throws {
        let (mine, theirs) = (try listed, try other.listed)
        #expect(mine.map(\.chunk) == theirs.map(\.chunk), comment)
        #expect(mine.map(\.recipients) == theirs.map(\.recipients), comment)
        var bodies: Set<BodyName> = []
        for (one, two) in zip(mine, theirs) {
            var content: [UInt8]?
            if let body = one.body, one.chunk.status == .active || sameNames,
                try bytes.has(body, digest: one.chunk.digest)
            {
                content = try bytes.content(body.name, size: body.size)
            }
            let copied = try two.body.flatMap { body in
                bodies.insert(body.name)
                return try other.bytes.has(body) ? other.bytes.content(body.name, size: body.size) : nil
            }
            #expect(content == copied, comment)
            if sameNames { #expect(one.body == two.body, comment) }
        }
        #expect(
            try RecordsUnderTest(records: other.records, bytes: other.bytes).names().stored == bodies, comment
        )
        let usage = try other.records.usage()
        #expect(
            usage.chunks == theirs.count && usage.uploaded == bodies.count && usage.reservedSpace == 0,
            comment)
        #expect(usage.recipients == theirs.reduce(0) { $0 + $1.recipients.count }, comment)
        #expect(usage.usedSpace == theirs.reduce(0) { $0 + Int64($1.body?.size ?? 0) }, comment)
    }
}

extension ChunkRecords {
    var listed: [ListedChunk] {
        get throws {
            var listed: [ListedChunk] = []
            try forEach(after: nil) {
                listed.append($0)
                return true
            }
            return listed
        }
    }

    func listed(_ id: StoredID) throws -> ListedChunk? { try listed.first { $0.chunk.id == id } }
}

extension ChunkBytes {
    /// Any bytes under a name.
    func store(_ content: [UInt8], as name: BodyName) throws {
        let body = try begin(name, size: UInt32(content.count), digest: SHA256.hash(content))
        try content.withUnsafeBytes { try body.write($0) }
        try body.finish()
        try body.publish()
    }
}

extension StoreMigration {
    /// With pages that are turned often.
    init(_ source: MovingStore, _ destination: MovingStore, _ pass: Pass = .final, scope: Scope = .everything)
    {
        self.init(from: source.stores, to: destination.stores)
        self.pass = pass
        self.scope = scope
        pageSize = 7
        clock = { RecordsUnderTest.now }
    }
}

/// Bytes that somebody hears of whenever they are read.
final class HookedBytes: ChunkBytes {
    private let bytes: any ChunkBytes
    private let hook: @Sendable () -> Void

    init(_ bytes: any ChunkBytes, _ hook: @escaping @Sendable () -> Void) {
        (self.bytes, self.hook) = (bytes, hook)
    }

    private final class Body: OpenBody {
        private let body: any OpenBody
        private let hook: @Sendable () -> Void

        init(_ body: any OpenBody, _ hook: @escaping @Sendable () -> Void) {
            (self.body, self.hook) = (body, hook)
        }

        func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
            hook()
            try body.fill(buffer, at: offset)
        }

        func close() {
            hook()
            body.close()
        }
    }

    var sharesNames: Bool { bytes.sharesNames }
    func location(of name: BodyName) -> String { bytes.location(of: name) }

    func begin(_ name: BodyName, size: UInt32, digest: [UInt8]) throws -> any IncomingBody {
        try bytes.begin(name, size: size, digest: digest)
    }

    func open(_ name: BodyName, size: UInt32) throws -> (any OpenBody)? {
        hook()
        return try bytes.open(name, size: size).map { Body($0, hook) }
    }

    func remove(_ name: BodyName) throws { try bytes.remove(name) }

    func list(after name: BodyName?, _ visit: (ListedBody) throws -> Bool) throws {
        try bytes.list(after: name, visit)
    }
}
