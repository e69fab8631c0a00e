import FaultInjection
import SystemPackage
import TestPeers
import Testing
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles

@testable import ValiseMounting

/// Trees that other programs read by WebDAV.
@Suite(.enabled(if: OtherProgram.isThere("curl", "python3")))
struct WebDAVServerTests {
    private func withServer(
        _ tree: any FileTree, problem: @escaping @Sendable (MountProblem) -> Void = { _ in },
        _ body: @escaping @Sendable (WebDAVServer) throws -> Void
    ) async throws {
        let server = try await WebDAVServer.start(tree, problem: problem)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            let result = await Task { try await BlockingExecutor.shared.run { try body(server) } }.result
            group.cancelAll()
            try await group.waitForAll()
            try result.get()
        }
    }

    private static func curl(_ arguments: [String]) throws -> OtherProgram.Outcome {
        try #require(OtherProgram("curl")).outcome(of: ["-s", "--path-as-is"] + arguments)
    }

    /// The status of an answer.
    private static func status(_ arguments: [String]) throws -> String {
        try curl(["-o", "/dev/null", "-w", "%{http_code}"] + arguments).text
    }

    private static let odd: [UInt8] = [0xff, 0x20, 0x25, 0x22, 0x3c]

    private static func made() -> MadeTree {
        MadeTree([
            .file("a.txt", Array("hello\n".utf8)), .file("empty", []), .file("a&b <c>\u{1}.txt", [1]),
            .folder("dir", [.file("b", [UInt8](repeating: 7, count: 3_000_000)), .folder("deep", [])]),
            TreeEntry(odd, TreeItem(.file(MadeContent { MadeFile([9, 9]) }, size: 2))),
            .link("link", to: "/etc/passwd"),
        ])
    }

    @Test func `files and parts of files come as they are`() async throws {
        try await withServer(Self.made()) { (server: WebDAVServer) throws in
            let address = server.address
            #expect(try Self.curl([address + "a.txt"]).text == "hello\n")
            #expect(try Self.curl([address + "empty"]).output.isEmpty)
            #expect(try Self.curl([address + "dir/b"]).output == [UInt8](repeating: 7, count: 3_000_000))
            #expect(try Self.curl([address + "%ff%20%25%22%3c"]).output == [9, 9])
            #expect(try Self.curl(["-r", "1-2", address + "a.txt"]).text == "el")
            #expect(try Self.curl(["-r", "-3", address + "a.txt"]).text == "lo\n")
            #expect(try Self.status(["-r", "6-", address + "a.txt"]) == "416")
            #expect(try Self.status(["-r", "1-2", address + "a.txt"]) == "206")
            let head = try Self.curl(["-I", address + "a.txt"]).text
            #expect(head.contains("Content-Length: 6") && head.contains("Accept-Ranges: bytes"), "\(head)")
            let tag = try #require(
                head.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }?.dropFirst(6))
            #expect(try Self.curl(["-r", "1-2", "-H", "If-Range: \(tag)", address + "a.txt"]).text == "el")
            #expect(
                try Self.curl(["-r", "1-2", "-H", "If-Range: \"other\"", address + "a.txt"]).text == "hello\n"
            )
            #expect(try Self.status([address + "link"]) == "404")
            #expect(try Self.status([address + "none"]) == "404")
            #expect(try Self.status([address + "dir"]) == "301")
            let page = try Self.curl([address]).text
            #expect(page.contains("a%26b%20%3Cc%3E%01.txt") && page.contains("a&amp;b &lt;c&gt;"), "\(page)")
            #expect(!page.contains("link"))
        }
    }

    private static let properties = """
        import sys, urllib.request, urllib.error, xml.etree.ElementTree as tree
        def ask(address, body=None, depth="1", method="PROPFIND", headers={}):
            fields = dict(headers)
            if depth is not None: fields["Depth"] = depth
            request = urllib.request.Request(address, data=body, method=method, headers=fields)
            try:
                with urllib.request.urlopen(request) as answer: return answer.status, answer.read()
            except urllib.error.HTTPError as error: return error.code, error.read()
        D = "{DAV:}"
        address = sys.argv[1]
        """

    @Test func `properties are those of the files`() async throws {
        try await withServer(Self.made()) { (server: WebDAVServer) throws in
            let script =
                Self.properties + """

                    status, body = ask(address)
                    assert status == 207
                    found = {}
                    for response in tree.fromstring(body).findall(D + "response"):
                        prop = response.find(D + "propstat/" + D + "prop")
                        found[response.find(D + "href").text] = {p.tag: p for p in prop}
                    prefix = address[address.index("/", 8):]
                    assert set(found) == {prefix + n for n in ["", "a.txt", "empty", "dir/", "a%26b%20%3Cc%3E%01.txt", "%FF%20%25%22%3C"]}, found.keys()
                    assert found[prefix + "a.txt"][D + "getcontentlength"].text == "6"
                    assert found[prefix + "dir/"][D + "resourcetype"].find(D + "collection") is not None
                    assert found[prefix + "a%26b%20%3Cc%3E%01.txt"][D + "displayname"].text == "a&b <c>\\ufffd.txt"
                    status, body = ask(address, depth="0")
                    assert len(tree.fromstring(body)) == 1
                    status, body = ask(address + "a.txt", b'<?xml version="1.0"?><x:propfind xmlns:x="DAV:" xmlns:o="urn:o"><x:prop><x:getetag/><o:strange/><none/></x:prop></x:propfind>', "0")
                    stats = tree.fromstring(body).findall(D + "response/" + D + "propstat")
                    by = {s.find(D + "status").text: [p.tag for p in s.find(D + "prop")] for s in stats}
                    assert by == {"HTTP/1.1 200 OK": [D + "getetag"], "HTTP/1.1 404 Not Found": ["{urn:o}strange", "none"]}, by
                    status, body = ask(address, b'<propfind xmlns="DAV:"><propname/></propfind>', "0")
                    assert status == 207 and b"<D:resourcetype/>" in body
                    for depth in ["infinity", None, "2", "1, 1"]:
                        status, body = ask(address, depth=depth)
                        assert status == 403 and b"propfind-finite-depth" in body, (depth, status)
                    status, body = ask(address + "none")
                    assert status == 404
                    """
            let (status, output) = try #require(OtherProgram("python3")).run(["-c", script, server.address])
            #expect(status == 0, "\(output)")
        }
    }

    @Test func `a folder of many entries is listed`() async throws {
        let tree = MadeTree((0..<20_000).map { .file("file-\($0)", []) })
        try await withServer(tree) { (server: WebDAVServer) throws in
            let script =
                Self.properties + """

                    status, body = ask(address)
                    assert len(tree.fromstring(body)) == 20001
                    """
            let (status, output) = try #require(OtherProgram("python3")).run(["-c", script, server.address])
            #expect(status == 0, "\(output)")
        }
    }

    @Test func `nobody sees anything without the token`() async throws {
        try await withServer(Self.made()) { (server: WebDAVServer) throws in
            let base = "http://127.0.0.1:\(server.port)/"
            #expect(try Self.status([base]) == "401")
            #expect(try Self.status([base + "a.txt"]) == "401")
            #expect(try Self.status([base + server.token.dropLast() + "/a.txt"]) == "401")
            #expect(try Self.status(["-X", "PROPFIND", "-H", "Depth: 0", base]) == "401")
            #expect(try Self.status(["-X", "PUT", "-d", "x", base + "a.txt"]) == "401")
            #expect(try Self.curl(["-I", base]).text.contains("WWW-Authenticate: Basic"))
            #expect(try Self.curl(["-u", "me:\(server.token)", base + "a.txt"]).text == "hello\n")
            #expect(try Self.status(["-u", "me:\(server.token)x", base + "a.txt"]) == "401")
            #expect(try Self.status(["-u", "me", "-H", "Authorization: Basic !!!", base + "a.txt"]) == "401")
            for host in ["example.org:\(server.port)", "127.0.0.1", "127.0.0.1:1"] {
                #expect(try Self.status(["-H", "Host: \(host)", server.address + "a.txt"]) == "403")
            }
            #expect(try Self.status(["-H", "Origin: http://example.org", server.address + "a.txt"]) == "403")
            #expect(try Self.status(["-H", "Sec-Fetch-Site: cross-site", server.address + "a.txt"]) == "403")
        }
    }

    @Test(arguments: [
        "PUT", "DELETE", "MKCOL", "MOVE", "COPY", "LOCK", "UNLOCK", "PROPPATCH", "POST", "PATCH", "TRACE",
    ])
    func `nothing can be changed`(method: String) async throws {
        try await withServer(Self.made()) { (server: WebDAVServer) throws in
            let answer = try Self.curl(["-i", "-X", method, "-d", "x", server.address + "a.txt"]).text
            #expect(answer.hasPrefix("HTTP/1.1 405"), "\(answer)")
            #expect(answer.contains("Allow: OPTIONS, GET, HEAD, PROPFIND"))
            let options = try Self.curl(["-i", "-X", "OPTIONS", server.address]).text
            #expect(options.hasPrefix("HTTP/1.1 200") && options.contains("DAV: 1\r\n"), "\(options)")
        }
    }

    private static let paths = [
        "../a.txt", "dir/../a.txt", "%2e%2e/a.txt", "dir/%2e%2e/a.txt", "./a.txt", "a.txt%00", "dir%2fb",
        "dir//b",
        "a.txt%", "a.txt%zz", "..%2f..%2fetc/passwd", "%2fetc%2fpasswd",
    ]

    @Test(arguments: paths) func `a path that leads elsewhere is refused`(path: String) async throws {
        try await withServer(Self.made()) { (server: WebDAVServer) throws in
            // Without a valid path there is no token in it.
            #expect(try Self.status([server.address + path]) == "401")
            let base = "http://127.0.0.1:\(server.port)/"
            #expect(try Self.status(["-u", "me:\(server.token)", base + path]) == "400")
        }
    }

    @Test func `hostile requests end, and the next one is answered`() async throws {
        try await withServer(Self.made()) { (server: WebDAVServer) throws in
            let script =
                Self.properties + #"""

                    import socket
                    bodies = [b"<", b"<a", b"no", b"<propfind/>", b'<propfind xmlns="DAV:">', b"<a></b>", b"\xff\xfe<a/>",
                        b'<!DOCTYPE a [<!ENTITY b "c">]><propfind xmlns="DAV:"><prop>&b;</prop></propfind>',
                        b'<?xml version="1.0" encoding="utf-16"?><propfind xmlns="DAV:"><prop/></propfind>',
                        b"<a>" * 20000, b'<propfind xmlns="DAV:"><prop>' + b"<x/>" * 2000 + b"</prop></propfind>",
                        b'<propfind xmlns="DAV:"><prop><y:x/></prop></propfind>', b"\x00",
                        b'<propfind xmlns="DAV:"><prop/><allprop/></propfind>',
                        b'<propfind xmlns="DAV:"><prop a="1" a="2"/></propfind>']
                    for body in bodies:
                        status, _ = ask(address, body, "0")
                        assert status in (400, 413), (status, body[:60])
                    # It may be closed before all of it is sent.
                    try: status, _ = ask(address, b" " * 100000, "0")
                    except OSError: status = 413
                    assert status == 413, status
                    host, port = "127.0.0.1", int(address.split(":")[2].split("/")[0])
                    def raw(data):
                        with socket.create_connection((host, port)) as s:
                            s.settimeout(20)
                            try:
                                s.sendall(data)
                                return s.recv(100)
                            except OSError as error: return repr(error).encode()
                    raw(b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 3_000_000 + b"\r\n\r\n")
                    raw(b"GET /" + b"a" * 3_000_000 + b" HTTP/1.1\r\n\r\n")
                    raw(b"\x16\x03\x01\x02\x00\x01\x00")
                    raw(b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(100000)) + b"\r\n")
                    raw(b"PROPFIND / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n")
                    raw(b"PROPFIND / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n")
                    raw(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
                    raw(b"GET http://127.0.0.1/ HTTP/1.1\r\n\r\n")
                    assert ask(address + "a.txt", depth=None, method="GET") == (200, b"hello\n")
                    """#
            let (status, output) = try #require(OtherProgram("python3")).run(["-c", script, server.address])
            #expect(status == 0, "\(output)")
        }
    }

    @Test func `a file that cannot be read is an answer, and told`() async throws {
        let problems = ProblemList()
        let tree = MadeTree([
            .opened("damaged", size: 10) {
                WaitingFile(size: 10) { _ in throw MountError(.damaged, "it is damaged") }
            },
            .file("good", [1]),
        ])
        try await withServer(tree, problem: { problems.add($0) }) { (server: WebDAVServer) throws in
            let answer = try Self.curl(["-i", server.address + "damaged"]).text
            #expect(answer.hasPrefix("HTTP/1.1 500") && answer.contains("it is damaged"), "\(answer)")
            #expect(try Self.curl([server.address + "good"]).output == [1])
        }
        #expect(problems.names == ["damaged"])
    }

    @Test(.enabled(if: OtherProgram.isThere("rclone")))
    func `rclone copies an archive, decrypted`() async throws {
        let fixture = try MountFixture()
        let tree = try fixture.archiveTree(decrypts: true)
        let extracted = try fixture.extracted(decrypts: true)
        let copied = fixture.folder.appending("copied")
        try await withServer(tree) { (server: WebDAVServer) throws in
            let rclone = try #require(OtherProgram("rclone"))
            let remote = ":webdav,url='\(server.address)':"
            let (status, output) = try rclone.run(
                ["--config", "/dev/null", "--transfers", "8", "copy", remote, copied.string])
            #expect(status == 0, "\(output)")
            let (same, difference) = try #require(OtherProgram("diff")).run(
                ["-r", extracted.string, copied.string])
            #expect(same == 0, "\(difference)")
            let (checked, check) = try rclone.run(
                ["--config", "/dev/null", "check", "--download", remote, extracted.string])
            #expect(checked == 0, "\(check)")
        }
    }

    @Test func `two servers have tokens of their own, and a taken port is said`() async throws {
        let server = try await WebDAVServer.start(Self.made())
        let other = try await WebDAVServer.start(Self.made())
        #expect(server.token != other.token && server.token.count == 43)
        await #expect {
            _ = try await WebDAVServer.start(Self.made(), port: server.port)
        } throws: {
            ($0 as? LocalServerError)?.code == .inUse
        }
        for server in [server, other] {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await server.run() }
                group.cancelAll()
            }
        }
    }
}
