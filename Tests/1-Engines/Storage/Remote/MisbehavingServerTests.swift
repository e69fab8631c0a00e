import StoreContract
import Testing
import ValiseConcurrency
import ValiseFailures

@testable import ValiseStorage

/// A server whose answers are wrong, cut off or missing: each has its own error, and none is taken for content.
@Suite(.enabled(if: StoragePeer.canMisbehave)) struct MisbehavingServerTests {
    private static let content: [UInt8] = Array("abc".utf8)

    private let peer: StoragePeer
    private let name = stored(.data, Self.content)

    init() throws { peer = try StoragePeer.misbehaving() }

    private func store(_ behavior: String, checkpoint: @escaping @Sendable () throws -> Void = {}) throws
        -> RESTStore
    {
        RESTStore(try peer.address(behavior), StoragePeer.impatient, checkpoint: checkpoint)
    }

    private struct Case: Sendable {
        let behavior: String
        let kind: StorageError.Kind
        let code: FailureCode
    }

    private static let reading: [Case] = [
        Case(behavior: "short", kind: .answer, code: .failed),
        Case(behavior: "reset", kind: .unreachable, code: .failed),
        Case(behavior: "reset-body", kind: .unreachable, code: .failed),
        Case(behavior: "silent", kind: .unreachable, code: .failed),
        Case(behavior: "stall", kind: .unreachable, code: .failed),
        Case(behavior: "stall-body", kind: .unreachable, code: .failed),
        Case(behavior: "endless-headers", kind: .answer, code: .failed),
        Case(behavior: "endless-line", kind: .answer, code: .failed),
        Case(behavior: "endless-continue", kind: .answer, code: .failed),
        Case(behavior: "garbage", kind: .answer, code: .failed),
        Case(behavior: "bad-length", kind: .answer, code: .failed),
        Case(behavior: "redirect-away", kind: .general, code: .denied),
        Case(behavior: "redirect-loop", kind: .answer, code: .failed),
        Case(behavior: "status-301", kind: .general, code: .failed),
        Case(behavior: "status-400", kind: .general, code: .failed),
        Case(behavior: "status-401", kind: .credentials, code: .denied),
        Case(behavior: "status-403", kind: .credentials, code: .denied),
        Case(behavior: "status-404", kind: .general, code: .notFound),
        Case(behavior: "status-407", kind: .credentials, code: .denied),
        Case(behavior: "status-408", kind: .unreachable, code: .failed),
        Case(behavior: "status-429", kind: .busy, code: .failed),
        Case(behavior: "status-500", kind: .server, code: .failed),
        Case(behavior: "status-501", kind: .general, code: .unsupported),
        Case(behavior: "status-502", kind: .server, code: .failed),
        Case(behavior: "status-503", kind: .busy, code: .failed),
        Case(behavior: "status-507", kind: .general, code: .noSpace),
    ]

    @Test func `each defect of an answer has its error`() throws {
        for expected in Self.reading {
            let store = try store(expected.behavior)
            let error = try #require(storageFailure { _ = try store.get(name) }, "\(expected.behavior)")
            #expect(
                error.kind == expected.kind && error.code == expected.code, "\(expected.behavior): \(error)")
            #expect(
                error.isTransient == [.unreachable, .busy, .server, .answer].contains(expected.kind),
                "\(expected.behavior)")
        }
    }

    @Test func `a busy server says how long`() throws {
        let busy = try store("status-503-7")
        let error = try #require(storageFailure { _ = try busy.get(name) })
        #expect(error.retryAfter == 7 && error.remedy == .tryLater && error.message.contains("7 seconds"))
        let silent = try store("status-503-soon")
        #expect(storageFailure { _ = try silent.get(name) }?.retryAfter == nil)
    }

    @Test func `nobody there is an error that passes`() throws {
        let store = RESTStore(try HTTPAddress("http://127.0.0.1:1/a"), StoragePeer.impatient)
        let error = try #require(storageFailure { try store.create() })
        #expect(error.kind == .unreachable && error.remedy == .checkServerAddress)
    }

    /// A page of somebody else's may name any address; the name `localhost` leads to two of them.
    @Test(arguments: ["127.0.0.1", "localhost"])
    func `an address that is not allowed is not connected to`(host: String) throws {
        let port = try #require(try peer.address("echo").port)
        let url = "http://\(host):\(port)/echo/a"
        var settings = StoragePeer.impatient
        #expect(try HTTPTransfer(settings).perform(HTTPRequest(.get, url)).isSuccess)
        settings.allows = { $0.isPublic }
        let refused = HTTPTransfer(settings)
        let error = try #require(storageFailure { _ = try refused.perform(HTTPRequest(.get, url)) })
        #expect(error.code == .denied && error.message.contains("public network"))
        settings.allows = { $0.bytes.first == 127 }
        #expect(try HTTPTransfer(settings).perform(HTTPRequest(.get, url)).isSuccess)
    }

    @Test func `a redirect is followed on the same host only, and nothing is sent to another one`() throws {
        let text = String(decoding: try store("redirect-home").get(name), as: UTF8.self)
        #expect(text.hasPrefix("GET /echo/data/"))
        #expect(text.contains("User-Agent: valise\r\n"))
        let away = try store("redirect-away")
        let error = try #require(storageFailure { _ = try away.get(name) })
        #expect(error.message.contains("localhost"))
    }

    @Test func `a range is these bytes or an error`() throws {
        #expect(try store("whole").get(name, 0..<4) == Array("0123".utf8))
        for (behavior, code) in [
            ("whole", FailureCode.failed), ("other-range", .failed), ("short-range", .damaged),
        ] {
            let store = try store(behavior)
            #expect(storageFailure { _ = try store.get(name, 1..<5) }?.code == code, "\(behavior)")
        }
        let store = try store("echo")
        #expect(storageFailure { _ = try store.get(name, -1..<5) }?.code == .invalid)
    }

    @Test func `a size that the server does not say is an error`() throws {
        for behavior in ["no-length", "bad-length"] {
            let store = try store(behavior)
            #expect(storageFailure { _ = try store.size(of: name) }?.kind == .answer, "\(behavior)")
        }
    }

    @Test func `lists of both versions are read, and defective ones are refused`() throws {
        let id = try digest(Self.content)
        let foreign = try store("list-foreign").list(.data)
        #expect(foreign.map(\.id) == [id] && foreign.map(\.size) == [3])
        let old = try store("list-v1").list(.data)
        #expect(old.count == 2 && old.allSatisfy { $0.size == 3 } && old.contains { $0.id == id })
        #expect(try store("list-null").list(.data).isEmpty)
        #expect(try store("status-404").list(.data).isEmpty)
        for behavior in ["list-garbage", "list-negative", "echo", "endless-body"] {
            let store = try store(behavior)
            #expect(storageFailure { _ = try store.list(.data) }?.kind == .answer, "\(behavior)")
        }
        // For rclone an unknown folder is an empty list: this is something else.
        let rclone = try store("rclone-404")
        #expect(storageFailure { _ = try rclone.list(.data) }?.kind == .server)
    }

    @Test func `a file whose answer was lost is stored, and one that is refused is if it is there`() throws {
        try store("lost").put(name, Self.content)
        try store("refuse-lost").put(name, Self.content)
        let other = try store("refuse-other")
        #expect(storageFailure { try other.put(name, Self.content) }?.code == .alreadyExists)
        let refused = try store("status-403")
        #expect(storageFailure { try refused.put(name, Self.content) }?.kind == .credentials)
        let configuration = try store("refuse-other/a")
        #expect(storageFailure { try configuration.put(.config, Self.content) }?.code == .alreadyExists)
    }

    @Test func `what is removed already is removed`() throws {
        try store("status-404").remove(name)
        let kept = try store("status-403")
        #expect(storageFailure { try kept.remove(name) }?.kind == .appendOnly)
        let failing = try store("status-500")
        #expect(storageFailure { try failing.remove(name) }?.kind == .server)
    }

    @Test func `a request ends when its checkpoint throws, also while nothing moves`() throws {
        let start = ContinuousClock.now
        let store = RESTStore(try peer.address("stall")) {
            if ContinuousClock.now - start > .milliseconds(300) { throw Interruption() }
        }
        #expect(throws: Interruption.self) { _ = try store.get(name) }
        #expect(ContinuousClock.now - start < .seconds(30))
        let stopped = Cancellation()
        let other = try self.store("echo") { try stopped.check() }
        _ = try other.get(name)
        stopped.cancel()
        #expect(throws: Interruption.self) { _ = try other.get(name) }
    }
}
