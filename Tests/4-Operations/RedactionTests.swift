import Testing

@testable import Valise

/// What a report of a diagnosis has of a text.
struct RedactionTests {
    private struct Broken: Failure {
        let code = FailureCode.denied
        let message = "marker message"
        let subject: String? = "/marker/subject"
        let cause: (any Error)? = nil
    }

    @Test func `a path has one number everywhere, and says only whether it is below the home folder`() {
        var redaction = Redaction(home: "/home/marker")
        let first = redaction.text("in \(path: "/home/marker/a/b")")
        #expect(first == "in ~/path-1")
        let second = redaction.text("\(path: "/home/marker/a/../a/b/"), \(path: "/srv/marker")")
        #expect(second == "~/path-1, path-2")
        let third = redaction.text("\(path: "/home/marker"), \(path: "/home/markers")")
        #expect(third == "~, path-3")
        let fourth = redaction.text("\(path: "/home/marker/../other")")
        #expect(fourth == "path-4")
    }

    @Test func `without a home folder paths have numbers, too`() {
        for home: FilePath? in [nil, ""] {
            var redaction = Redaction(home: home)
            let text = redaction.text("\(path: "/home/marker/a")")
            #expect(text == "path-1")
        }
    }

    @Test func `a reason says nothing again that its text has said`() {
        let text: RedactableText = "\(path: "/marker/subject"): \(reason: Broken(), after: "marker ")"
        #expect(text.text == "/marker/subject: message")
        var redaction = Redaction(home: nil)
        let redacted = redaction.text(text)
        #expect(redacted == "path-1: failure 'denied'")
    }

    @Test func `relays have numbers, titles are left out, and failures have their kind`() throws {
        let text = "xftp://\(String(repeating: "M", count: 42))A=@marker.example:5443"
        let relay = try RelayAccess(text).address
        var redaction = Redaction(home: nil)
        let finding: RedactableText =
            "\(relay: relay) \(relay: relay) \(title: "marker job") \(failure: Broken()) \(3, of: "file")"
        let redacted = redaction.text(finding)
        #expect(redacted == "relay-1 relay-1 (title) failure 'denied' 3 files")
        #expect(
            finding.text
                == "marker.example:5443 marker.example:5443 marker job /marker/subject: marker message 3 files"
        )
    }
}
