import StoreContract
import Testing
import ValiseFailures

@testable import ValiseStorage

/// What servers of S3 refuse, and how they list.
@Suite(.enabled(if: StoragePeer.canMisbehave)) struct S3AnswerTests {
    private let peer: StoragePeer
    private let content: [UInt8] = Array("abc".utf8)

    init() throws { peer = try StoragePeer.misbehaving() }

    private func store(_ behavior: String) throws -> S3Store {
        try S3Store(try peer.bucket(at: behavior), StoragePeer.impatient)
    }

    private struct Case: Sendable {
        let code: String
        let kind: StorageError.Kind
        let failure: FailureCode
    }

    private static let refusals: [Case] = [
        Case(code: "NoSuchKey", kind: .general, failure: .notFound),
        Case(code: "NoSuchBucket", kind: .noStore, failure: .notFound),
        Case(code: "AccessDenied", kind: .credentials, failure: .denied),
        Case(code: "InvalidAccessKeyId", kind: .credentials, failure: .denied),
        Case(code: "SignatureDoesNotMatch", kind: .credentials, failure: .denied),
        Case(code: "RequestTimeTooSkewed", kind: .clock, failure: .denied),
        Case(code: "SlowDown", kind: .busy, failure: .failed),
        Case(code: "ConditionalRequestConflict", kind: .busy, failure: .failed),
        Case(code: "InternalError", kind: .server, failure: .failed),
        Case(code: "RequestTimeout", kind: .unreachable, failure: .failed),
        Case(code: "BadDigest", kind: .answer, failure: .failed),
        Case(code: "QuotaExceeded", kind: .general, failure: .noSpace),
        Case(code: "NotImplemented", kind: .general, failure: .unsupported),
        Case(code: "PermanentRedirect", kind: .general, failure: .invalid),
        Case(code: "AuthorizationHeaderMalformed", kind: .general, failure: .invalid),
    ]

    @Test func `each refusal has its error, also of a question whose answer has no body`() throws {
        let name = stored(.keys, content)
        for expected in Self.refusals {
            let store = try store("xml-\(expected.code)")
            for error in [
                storageFailure { _ = try store.get(name) }, storageFailure { _ = try store.size(of: name) },
                storageFailure { _ = try store.list(.keys) }, storageFailure { try store.create() },
            ] {
                // An answer without a body is the same for a missing bucket and a missing file.
                let kinds = [expected.kind] + (expected.code == "NoSuchBucket" ? [.general] : [])
                #expect(error.map { kinds.contains($0.kind) } == true, "\(expected.code)")
                #expect(error?.code == expected.failure, "\(expected.code)")
            }
        }
    }

    @Test func `a clock is compared with the server's, and a region is named`() throws {
        let late = try store("xml-RequestTimeTooSkewed")
        let clock = try #require(storageFailure { try late.create() })
        #expect(clock.message.contains("2013-05-24 00:00:00 UTC") && clock.remedy == .setClock)
        let moved = try store("xml-PermanentRedirect")
        #expect(try #require(storageFailure { try moved.create() }).message.contains("eu-west-3"))
    }

    @Test func `keys that may not remove are those of a store that only appends`() throws {
        let name = stored(.keys, content)
        try store("xml-NoSuchKey").remove(name)
        let kept = try store("xml-AccessDenied")
        #expect(storageFailure { try kept.remove(name) }?.kind == .appendOnly)
        let wrong = try store("xml-SignatureDoesNotMatch")
        #expect(storageFailure { try wrong.remove(name) }?.kind == .credentials)
        let lost = try store("xml-NoSuchBucket")
        #expect(storageFailure { try lost.remove(name) }?.code == .notFound)
    }

    @Test func `pages of a list are followed, and what is no file of a repository is left out`() throws {
        let found = try store("three-pages").list(.data)
        #expect(found.map(\.size) == [0, 1, 2])
        let prefixed = try S3Store(try peer.bucket("other", at: "three-pages"))
        #expect(try prefixed.list(.data).isEmpty)
    }

    @Test func `pages without an end, document types and other answers are refused`() throws {
        for behavior in ["pages", "hostile", "echo", "endless-body"] {
            let store = try store(behavior)
            #expect(storageFailure { _ = try store.list(.data) }?.kind == .answer, "\(behavior)")
        }
    }

    @Test func `a request says what it must, and neither the secret nor a plain user`() throws {
        var settings = try peer.bucket("p q", at: "echo")
        settings.sessionToken = try StoragePeer.secret("token-of-an-hour")
        var connection = StoragePeer.impatient
        connection.user = "ann"
        let store = try S3Store(settings, connection, now: { 1_369_353_600 })
        let text = String(decoding: try store.get(stored(.data, content)), as: UTF8.self)
        let id = try digest(content).text
        #expect(text.hasPrefix("GET /echo/bucket/p%20q/data/\(id.prefix(2))/\(id) HTTP/1.1\r\n"), "\(text)")
        #expect(text.contains("x-amz-security-token: token-of-an-hour"))
        #expect(text.contains("x-amz-date: 20130524T000000Z"))
        #expect(text.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,"))
        #expect(!text.contains("Basic"))
    }

    @Test(arguments: ["", ".", "..", "a/b", "a b", "a?b", "é"])
    func `what is no name of a bucket is refused`(name: String) throws {
        let settings = S3Store.Settings(
            endpoint: try HTTPAddress("http://127.0.0.1:1"), bucket: name, region: "r", accessKey: "k",
            secret: try StoragePeer.secret("s"))
        #expect(throws: StorageError.self) { _ = try S3Store(settings) }
    }
}
