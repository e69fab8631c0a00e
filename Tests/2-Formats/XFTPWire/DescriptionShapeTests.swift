import FaultInjection
import Testing
import ValiseCryptography
import ValiseFailures
import ValiseSecrets

@testable import ValiseXFTPWire

/// What a description may look like, and what it may not.
struct DescriptionShapeTests {
    private static func yaml() throws -> String {
        try TransferFixture.text("agent-transfer/redirect.rcv1.xftp")
    }

    private static func expectSame(_ text: String, _ comment: Comment? = nil) throws {
        let read = try FileDescription(yaml: Array(text.utf8)).yaml().text
        #expect(read == (try yaml()), comment)
    }

    private static func expectRefused(_ text: String, _ words: String) {
        let error = #expect(throws: XFTPWireError.self) { try FileDescription(yaml: Array(text.utf8)) }
        #expect(error?.message.contains(words) == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test func `other forms of the same text are read`() throws {
        let yaml = try Self.yaml()
        try Self.expectSame(yaml)
        try Self.expectSame("\u{feff}" + yaml)
        try Self.expectSame("---\n" + yaml + "...\nnot: [part of it")
        try Self.expectSame(yaml.replacing("\n", with: "\r\n"))
        try Self.expectSame(String(yaml.dropLast()))
        try Self.expectSame(
            "# a comment\n\n" + yaml.replacing("\n", with: "   # and another: one\n\n  # more\n"))
        try Self.expectSame(yaml.replacing("chunkSize: 64kb", with: "chunkSize: '64kb'  # quoted"))
        try Self.expectSame(yaml.replacing("chunkSize: 64kb", with: "\"chunkSize\": \"64kb\""))
        try Self.expectSame(yaml.replacing("party: recipient", with: "'party' : \t recipient"))
        try Self.expectSame(yaml.replacing("size: 327680", with: "size: \"327680\""))
        try Self.expectSame(yaml.replacing("chunkSize: 64kb", with: "chunkSize: 65536"))
        try Self.expectSame(
            yaml.replacing("==", with: "").replacing("=\n", with: "\n").replacing("=:", with: ":"))
        try Self.expectSame(
            yaml.replacing("server: xftp://", with: "server: \"xftp:\\/\\/").replacing(
                "5443\n", with: "5443\"\n"))
    }

    @Test func `lists may be indented and written in other orders`() throws {
        let lines = try Self.yaml().split(separator: "\n")
        let replicas = try #require(lines.firstIndex(of: "replicas:"))
        let list = lines[(replicas + 1)..<(lines.count - 1)]
        let indented = lines[...replicas] + list.map { "    " + $0 } + lines.suffix(1)
        try Self.expectSame(indented.joined(separator: "\n"))
        let first = lines.suffix(1) + lines.dropLast()
        try Self.expectSame(first.joined(separator: "\n"))
        let line = try #require(list.first { $0.contains("1:") })
        let server = try #require(list.last).drop { $0 == " " }
        let swapped =
            lines[...replicas] + ["-", "    \(server)", "    chunks:", "     \(line)"] + lines.suffix(1)
        try Self.expectSame(swapped.joined(separator: "\n"))
    }

    @Test func `what is not known is passed over, whatever it holds`() throws {
        let yaml = try Self.yaml()
        for extra in [
            "new: 1", "new:", "new: [1, 2]", "new: {a: b}",
            "new:\n  deeper:\n  - a\n  - b:\n      size: 1\n  size: 2",
            "new: |\n  any text: \"\n   - here\n\n  'too", "new: >-\n  folded",
            "new:\n- size: 5\n- - a\n  - b",
            "\"a b\": 'it''s'", "new: \"a\\nb\\t\\\\\\\"\"", "new: null", "new: ~",
        ] {
            try Self.expectSame(extra + "\n" + yaml, "\(extra)")
            try Self.expectSame(yaml + extra, "\(extra)")
        }
        try Self.expectSame(yaml.replacing("- chunks:", with: "- new:\n    size: 1\n  chunks:"))
        try Self.expectSame(yaml.replacing("  size: 327680", with: "  size: 327680\n  new: 1"))
    }

    @Test func `no redirect and an empty one are the same`() throws {
        let yaml = try TransferFixture.text("files/size-1/rcv1.xftp")
        for text in ["redirect: null\n", "redirect: ~\n"] {
            #expect(try FileDescription(yaml: Array((text + yaml).utf8)).redirect == nil)
        }
    }

    @Test(arguments: [
        ("party: recipient", "party: &a recipient", "anchors"), ("party: recipient", "party: *a", "anchors"),
        ("party: recipient", "party: !!str recipient", "anchors"),
        ("party: recipient", "party: nobody", "party"),
        ("party: recipient", "party: [recipient]", "single value"),
        ("party: recipient", "party: 'recipient", "quote"),
        ("party: recipient", "party: 'recipient' x", "quoted"),
        ("party: recipient", "party: \"\\q\"", "party"),
        ("party: recipient", "party:", "single value"), ("party: recipient", "other: recipient", "no party"),
        ("party: recipient", "party: recipient\nparty: recipient", "twice"),
        ("party: recipient", "\tparty: recipient", "tab"),
        ("party: recipient", "party: recipient\n---", "document"),
        ("party: recipient", "   party: recipient", "indentation"),
        ("party: recipient", "recipient", "missing key"), ("chunkSize: 64kb", "chunkSize: 0", "not a size"),
        ("chunkSize: 64kb", "chunkSize: -64kb", "not a size"), ("size: 327680", "size: 0x10", "not a size"),
        ("replicas:", "replicas: none", "indentation"), ("replicas:", "replicas: []\nother:", "not a list"),
        ("- chunks:", "- chunks: []\n  other:", "not a list"), ("  server:", "  other:", "no server"),
        ("server: xftp://", "server: smp://", "xftp://"), ("@127.0.0.1", ":password@127.0.0.1", "password"),
        ("key: wdvSK", "key: wdvS", "32 bytes"), ("key: wdvSK", "key: wdvSK+", "32 bytes"),
        ("digest: 3NzJy", "digest: 3Nz+y", "64 bytes"), ("  digest: iS7Z72tG", "  digest: iS7Z", "64 bytes"),
        ("  - 1:", "  - 0:", "number"), ("  - 1:", "  - 2:", "gaps"), ("  - 1:", "  - 65537:", "number"),
        ("  - 1:", "  - +1:", "number"), ("  - 1:", "  - :", "number"),
        ("  - 1:", "  - 99999999999999999999:", "number"),
        ("  - 1:_j0KkC877KYgrXuZuA4E-A==", "  - 1:", "replica ID"),
        ("  - 1:_j0K", "  - 1:_j0K:", "fields|key"),
        (":MC4CAQAwBQYDK2VwBCIEIJ9e", ":AAAA", "key"), ("5VoKoTIo=", "5VoK", "digest"),
        (":AmlZgtu3brBtP5GhjNGIyleEpIcSpCAx6Gg5VoKoTIo=", "", "has a digest"),
        ("5VoKoTIo=", "5VoKoTIo=:", "not a line"), ("5VoKoTIo=", "5VoKoTIo=:0", "size"),
        ("5VoKoTIo=", "5VoKoTIo=:1kb:2", "fields"),
        ("5VoKoTIo=", "5VoKoTIo=:1kb", "bytes"), ("5VoKoTIo=", "5VoKoTIo=:4gb", "size"),
    ])
    func `what is no description is refused with the reason`(part: String, change: String, words: String)
        throws
    {
        let yaml = try Self.yaml()
        try #require(yaml.contains(part))
        let text = yaml.replacing(part, with: change, maxReplacements: 1)
        let error = #expect(throws: XFTPWireError.self, "\(change)") {
            try FileDescription(yaml: Array(text.utf8))
        }
        let said = error?.message ?? ""
        #expect(words.split(separator: "|").contains { said.contains($0) }, "\(said)")
        #expect(!said.contains("wdvS") && !said.contains("MC4CAQ"))
    }

    @Test func `a chunk in too many places, or too many relays, are refused`() throws {
        func text(_ relays: Int) throws -> String {
            let yaml = try TransferFixture.text("files/size-1/rcv1.xftp")
            let lines = yaml.split(separator: "\n")
            let replicas = try #require(lines.firstIndex(of: "replicas:"))
            let end = try #require(lines.firstIndex { $0.hasPrefix("  server:") })
            let entry = lines[(replicas + 1)...end]
            let entries = (0..<relays).flatMap { _ in entry }
            return (lines[...replicas] + entries + lines[(end + 1)...]).joined(separator: "\n")
        }
        let most = try FileDescription(yaml: Array(text(FileDescription.mostReplicas).utf8))
        #expect(most.chunks[0].replicas.count == FileDescription.mostReplicas)
        Self.expectRefused(try text(FileDescription.mostReplicas + 1), "more than 16 replicas")
        Self.expectRefused(try text(FileDescription.mostRelays + 1), "more than 256 relays")
    }

    @Test func `replicas that contradict each other are refused, those that agree are read`() throws {
        let line = { (rest: String) in
            "  - 1:AAAA:MC4CAQAwBQYDK2VwBCIEIDfEfevydXXfKajz3sRkcQ7RPvfWUPoq6pu1TYHV1DEe\(rest)\n"
        }
        let yaml = try Self.yaml()
        let digest = ":AmlZgtu3brBtP5GhjNGIyleEpIcSpCAx6Gg5VoKoTIo="
        let insert = { (rest: String) in yaml.replacing("- chunks:\n", with: "- chunks:\n" + line(rest)) }
        for rest in ["", digest, digest + ":64kb", digest + ":65536"] {
            let description = try FileDescription(yaml: Array(insert(rest).utf8))
            #expect(description.chunks.count == 1)
            #expect(description.chunks[0].replicas.map(\.id.bytes.count) == [3, 16])
        }
        Self.expectRefused(insert(digest.replacing("Aml", with: "Bml")), "disagree about its digest")
        let sized = yaml.replacing("5VoKoTIo=", with: "5VoKoTIo=:64kb")
        Self.expectRefused(
            sized.replacing("- chunks:\n", with: "- chunks:\n" + line(digest + ":32kb")),
            "disagree about its size")
    }

    @Test func `a nonce of another length is cut or filled with zeros, as the official programs do`() throws {
        let yaml = try Self.yaml()
        let nonce = "P5Nqi_3ZstKhHIqL6cK9LFjpp_9dAxZH"
        let short = try FileDescription(yaml: Array(yaml.replacing(nonce, with: "AQID").utf8))
        #expect(short.nonce == [1, 2, 3] + Array(repeating: 0, count: 21))
        let long = try FileDescription(yaml: Array(yaml.replacing(nonce, with: nonce + "AAAA").utf8))
        #expect(try long.yaml().text == yaml)
    }

    @Test func `sizes without a unit are written in quotes`() throws {
        var description = try TransferFixture.description("files/size-300000/rcv1.xftp")
        description.chunks[1].size = 1000
        description.size = 262_144 + 1000
        let text = try description.yamlOfAnyChunkSize().text
        #expect(text.contains("=:1000\n"))
        #expect(text.hasSuffix("\nsize: '263144'\n"))
        #expect(try FileDescription(yaml: Array(text.utf8)).size == 263_144)
        #expect(throws: XFTPWireError.self) { _ = try description.yaml() }
        description.nonce = Array("<M4".utf8) + Array(repeating: 0, count: 21)
        let quoted = try FileDescription(yaml: description.yamlOfAnyChunkSize())
        #expect(quoted.nonce == description.nonce)
    }

    @Test func `what contradicts itself is not written`() throws {
        let good = try TransferFixture.description("files/size-300000/rcv1.xftp")
        var changes: [(String, FileDescription)] = []
        func change(_ name: String, _ body: (inout FileDescription) -> Void) {
            var changed = good
            body(&changed)
            changes.append((name, changed))
        }
        change("no chunks") { $0.chunks = [] }
        change("gap") { $0.chunks[1].number = 3 }
        change("order") { $0.chunks.swapAt(0, 1) }
        change("sum") { $0.size += 1 }
        change("digest") { $0.chunks[0].digest = [] }
        change("file digest") { $0.digest = [] }
        change("nonce") { $0.nonce = [] }
        change("replica") { $0.chunks[0].replicas = [] }
        change("size") { $0.chunks[0].size = -1 }
        for (name, changed) in changes {
            #expect(throws: XFTPWireError.self, "\(name)") { _ = try changed.yaml() }
        }
        #expect(good.key.description == "<redacted>")
    }

    // MARK: Bombs

    @Test func `texts that are made to take time or memory are refused soon`() throws {
        let yaml = try Self.yaml()
        let deep = (0..<2000).map { String(repeating: " ", count: $0) + "a:" }.joined(separator: "\n")
        let laughs = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"
        let cases: [(String, String)] = [
            (String(repeating: "- ", count: 500_000), "nested"), (deep, "nested"), (laughs + yaml, "anchors"),
            (String(repeating: "a:\n", count: YAMLReader.mostLines + 1), "lines"),
            (String(repeating: " ", count: YAMLReader.largestText + 1), "large"),
            (String(repeating: ":", count: 1 << 20), "no "),
            ("a: \"" + String(repeating: "\\\"", count: 500_000), "quote"),
            (String(repeating: "a", count: 1 << 20), "keys"), ("", "empty"), ("#", "empty"),
            (
                yaml.replacing("  - 1:", with: "  - " + String(repeating: "1", count: 500_000) + ":"),
                "too long"
            ),
            (
                yaml.replacing(
                    "server: xftp://", with: "server: xftp://" + String(repeating: "a", count: 500_000)),
                "size"
            ),
        ]
        for (text, words) in cases {
            let duration = ContinuousClock().measure { Self.expectRefused(text, words) }
            #expect(duration < .seconds(20), "\(words)")
        }
    }

    @Test func `a file of five gibibytes is described and read`() throws {
        let one = try TransferFixture.description("files/size-1/rcv1.xftp")
        var chunk = one.chunks[0]
        chunk.size = 4_194_304
        let chunks = (1...1281).map { number in
            var next = chunk
            next.number = number
            return next
        }
        let description = FileDescription(
            party: .recipient, size: 1281 * chunk.size, digest: one.digest, key: one.key, nonce: one.nonce,
            chunkSize: chunk.size, chunks: chunks)
        let text = try description.yaml()
        #expect(text.count < 300_000)
        #expect(try FileDescription(yaml: text).chunks.count == 1281)
        #expect(try FileLink(FileLink(description).webLink()).description.size == description.size)
    }
}
