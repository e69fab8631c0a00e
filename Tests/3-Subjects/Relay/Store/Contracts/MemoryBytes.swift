import Synchronization
import ValiseFailures
import ValiseRelay

/// Bodies in memory, as a storage server has them: with names that uploads share, or with one for each, and now and then out of
/// reach.
final class MemoryBytes: ChunkBytes {
    /// What happens to calls.
    enum Reach: Sendable {
        case there
        /// Nothing is done.
        case gone
        /// It is done, and nobody hears of it.
        case silent
    }

    private struct Body {
        let content: [UInt8]
        let modified: Int64
    }

    let sharesNames: Bool
    private let bodies = Mutex<[BodyName: Body]>([:])
    private let currentReach = Mutex(Reach.there)

    init(sharesNames: Bool) { self.sharesNames = sharesNames }

    var reach: Reach {
        get { currentReach.withLock { $0 } }
        set { currentReach.withLock { $0 = newValue } }
    }

    var names: Set<BodyName> { bodies.withLock { Set($0.keys) } }

    func call<Result>(_ body: () throws -> Result) throws -> Result {
        let reach = reach
        guard reach != .gone else { throw Self.outage }
        let result = try body()
        guard reach != .silent else { throw Self.outage }
        return result
    }

    static var outage: XFTPStoreError { .unavailable("no answer from the storage server", subject: "memory") }

    func location(of name: BodyName) -> String { "memory/\(name.text)" }

    func begin(_ name: BodyName, size: UInt32, digest: [UInt8]) throws -> any IncomingBody {
        try call { MemoryUpload(self, name, BodyCheck(size: size, digest: digest)) }
    }

    func open(_ name: BodyName, size: UInt32) throws -> (any OpenBody)? {
        try call {
            bodies.withLock { bodies in
                guard let body = bodies[name], body.content.count == Int(size) else { return nil }
                return MemoryReader(self, body.content)
            }
        }
    }

    func remove(_ name: BodyName) throws { try call { bodies.withLock { $0[name] = nil } } }

    func list(after name: BodyName?, _ visit: (ListedBody) throws -> Bool) throws {
        let listed = try call {
            bodies.withLock { bodies in
                bodies.map {
                    ListedBody(
                        name: $0.key, size: Int64($0.value.content.count), modified: $0.value.modified)
                }
            }
        }
        for body in listed.sorted(by: { $0.name < $1.name }) where name.map({ $0 < body.name }) ?? true {
            guard try visit(body) else { return }
        }
    }

    fileprivate func store(_ content: [UInt8], as name: BodyName) throws {
        try call {
            bodies.withLock { $0[name] = Body(content: content, modified: RecordsUnderTest.now) }
        }
    }
}

/// With names of their own, bodies are where servers put them: under their names as soon as they are complete.
private final class MemoryUpload: IncomingBody {
    private struct State: ~Copyable, Sendable {
        var check: BodyCheck?
        var content: [UInt8] = []
        var isFinished = false
        var isStored = false
        var isPublished = false
        var isOver = false
    }

    private let bytes: MemoryBytes
    private let name: BodyName
    private let state: Mutex<State>

    init(_ bytes: MemoryBytes, _ name: BodyName, _ check: consuming BodyCheck) {
        self.bytes = bytes
        self.name = name
        state = Mutex(State(check: consume check))
    }

    deinit {
        if state.withLock({ !$0.isPublished }) { try? cancel() }
    }

    func write(_ piece: UnsafeRawBufferPointer) throws {
        try during { state in
            guard !state.isFinished else { throw XFTPStoreError.closed }
            try bytes.call { try state.check?.add(piece) }
            state.content += piece
        }
    }

    func finish() throws {
        try during { state in
            guard let check = state.check.take() else { throw XFTPStoreError.closed }
            try check.finish()
            state.isFinished = true
            if !bytes.sharesNames {
                state.isStored = true
                try bytes.store(state.content, as: name)
            }
        }
    }

    func publish() throws {
        try state.withLock { state in
            guard state.isFinished, !state.isOver, !state.isPublished else { throw XFTPStoreError.closed }
            state.isPublished = true
            guard bytes.sharesNames else { return try bytes.call {} }
            state.isStored = true
            try bytes.store(state.content, as: name)
        }
    }

    func cancel() throws { try state.withLock { try drop(&$0) } }

    private func during(_ body: (inout State) throws -> Void) throws {
        try state.withLock { state in
            guard !state.isOver else { throw XFTPStoreError.closed }
            do {
                try body(&state)
            } catch {
                try? drop(&state)
                throw error
            }
        }
    }

    private func drop(_ state: inout State) throws {
        guard !state.isOver else { return }
        state.isOver = true
        if state.isStored { try bytes.remove(name) }
    }
}

private final class MemoryReader: OpenBody {
    private let bytes: MemoryBytes
    private let content: Mutex<[UInt8]?>

    init(_ bytes: MemoryBytes, _ content: [UInt8]) {
        self.bytes = bytes
        self.content = Mutex(content)
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        let content = content.withLock { $0 }
        try bytes.call {
            guard let content, Int(offset) + buffer.count <= content.count else {
                throw XFTPStoreError(.failed, "the body ends before")
            }
            buffer.copyBytes(from: content[Int(offset)..<Int(offset) + buffer.count])
        }
    }

    func close() { content.withLock { $0 = nil } }
}
