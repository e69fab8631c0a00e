import FaultInjection
import Foundation
import Synchronization
import TestPeers
import Testing
import ValiseChatSchema
import ValiseComposition
import ValiseEncoding
import ValiseFailures

@testable import Valise

/// Previews of pages, from a server that has all kinds of them.
@Suite(.enabled(if: OtherProgram.isThere("python3"))) struct LinkPreviewTests {
    private let server: PageServer
    private let notes = Recorded()
    private let context: OperationContext

    init() throws {
        server = try PageServer()
        context = OperationContext { [notes] event in
            if case .note(let note) = event { notes.add(note.text) }
        }
    }

    private static let pictures = PicturePreparer(
        command: [Repository.program("valise").path, "prepare-picture"])

    private func load(
        _ page: String, _ change: (inout LoadLinkPreview.Limits) -> Void = { _ in }
    ) async throws -> MessageContent.LinkPreview {
        var limits = LoadLinkPreview.Limits()
        limits.allowsPrivate = true
        change(&limits)
        return try await LoadLinkPreview(server.address(page), limits: limits, pictures: Self.pictures)
            .run(in: context)
    }

    private func failure(
        _ page: String, _ change: (inout LoadLinkPreview.Limits) -> Void = { _ in }
    ) async throws -> any Failure {
        do {
            let preview = try await load(page, change)
            Issue.record("\(page): \(preview)")
        } catch let failure as any Failure {
            return failure
        }
        throw OperationError(.failed, "no failure")
    }

    @Test func `a page has a title, a description and a picture`() async throws {
        for page in ["page", "redirect"] {
            let preview = try await load(page)
            #expect(preview.uri == server.address(page) && preview.title == "A & B")
            #expect(preview.description == "What it says")
            #expect(
                preview.fields["image"]?.textValue?.hasPrefix("data:image/jpg;base64,") == true, "\(page)")
        }
        #expect(notes.all.isEmpty)
        #expect(try await load("latin").title == "Café")
    }

    @Test(arguments: ["broken-picture", "large-picture"])
    func `a picture that cannot be had leaves the preview without`(page: String) async throws {
        let preview = try await load(page)
        #expect(preview.title == "A & B" && preview.fields["image"]?.textValue == "")
        #expect(notes.all.count == 1 && notes.all[0].contains("has no picture: "), "\(notes.all)")
    }

    @Test func `a page that never ends is cut`() async throws {
        #expect(try await load("endless").title == "Long")
    }

    private static let failures: [(String, FailureCode, String)] = [
        ("pdf", .unsupported, "not a page but application/pdf"), ("untyped", .unsupported, "of no type"),
        ("empty", .notFound, "neither a title nor a picture"), ("gone", .failed, "status 404"),
        ("nowhere", .failed, "status 500"), ("loop", .failed, "more than 5 redirects"),
        ("to-file", .invalid, "not an address of the web"),
    ]

    @Test(arguments: failures)
    func `what is no page has its error`(page: String, code: FailureCode, words: String) async throws {
        let error = try await failure(page)
        #expect(error.code == code && error.message.contains(words), "\(error)")
        #expect(error.subject == server.address(page))
    }

    @Test func `a page that takes too long ends`() async throws {
        let error = try await failure("slow") { $0.seconds = 1 }
        #expect(error.code == .failed && error.message == "the page takes longer than 1 s")
    }

    @Test func `no address of this machine or of its networks is asked, unless that is allowed`() async throws
    {
        let error = try await failure("page") { $0.allowsPrivate = false }
        #expect(
            error.code == .denied && error.message.contains("is not on the public network"), "\(error)")
        for link in [
            "http://localhost:1/", "http://printer/", "https://router.lan/x", "http://a.local",
            "http://x.onion",
            "http://[::1]:1/", "http://169.254.169.254/latest", "http://127.1:1/", "http://0/",
        ] {
            let denied = try await #require(throws: (any Error).self) {
                try await LoadLinkPreview(link, pictures: Self.pictures).run(in: context)
            }
            #expect((denied as? any Failure)?.code == .denied, "\(link): \(denied)")
        }
        // A proxy finds the addresses of names, and goes wherever it is told.
        var proxied = LoadLinkPreview.Limits()
        proxied.isProxied = true
        for link in ["http://router.lan/", "http://10.1.2.3/", "http://[fe80::1]/", "http://2130706433/"] {
            let denied = try await #require(throws: OperationError.self) {
                try await LoadLinkPreview(link, limits: proxied, pictures: Self.pictures).run(in: context)
            }
            #expect(denied.code == .denied, "\(link): \(denied)")
        }
        for link in ["ftp://example.org/", "file:///etc/passwd", "http://a@b.org/", "words", ""] {
            let invalid = try await #require(throws: OperationError.self) {
                try await LoadLinkPreview(link, pictures: Self.pictures).run(in: context)
            }
            #expect(invalid.code == .invalid, "\(link)")
        }
    }
}

/// What was told.
final class Recorded: Sendable {
    private let texts = Mutex<[String]>([])

    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
}
