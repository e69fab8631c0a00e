import Testing
import ValiseEncoding
import ValiseFailures
import ValiseStorage

@testable import ValiseMounting

/// Parts that need neither a kernel nor a network.
struct TreePartsTests {
    @Test func `nothing has bits for writing, and its owner can read it`() {
        let file = TreeItem(.file(MadeContent { MadeFile([]) }, size: 0), permissions: 0o4777)
        #expect(file.mode == 0o100555)
        #expect(TreeItem(.file(MadeContent { MadeFile([]) }, size: 0), permissions: 0).mode == 0o100400)
        #expect(MemoryFolder([]).item().mode == 0o040555)
        #expect(TreeItem(.folder(MemoryFolder([])), permissions: 0o022).mode == 0o040500)
        #expect(TreeItem(.link([]), permissions: 0).mode == 0o120777)
    }

    @Test func `the kernel's knowledge is counted`() {
        let tree = MadeTree([.file("a", [1]), .file("b", [2])])
        let table = FuseTable(tree.root, most: 10)
        let item = tree.root
        let a = table.add([1], item, in: 1)
        #expect(table.add([1], item, in: 1) == a && table.count == 1)
        let b = table.add([1], item, in: a)
        #expect(a != b && table.folder(of: b) == a && table.folder(of: a) == 1 && table.folder(of: 1) == 1)
        table.forget(a, 1)
        #expect(table.item(a) != nil)
        table.forget(a, 1)
        #expect(table.item(a) == nil && table.item(1) != nil)
        table.forget(a, 1)
        table.forget(1, 100)
        #expect(table.item(1) != nil && table.count == 1)
        #expect(table.add([1], item, in: 1) == a, "numbers stay the same")
    }

    @Test func `the oldest entries are let go of, and each comes again`() {
        let table = FuseTable(MadeTree([]).root, most: 3)
        var numbers: [UInt64] = []
        for name in 0..<5 { numbers.append(table.add([UInt8(name)], MadeTree([]).root, in: 1)) }
        #expect(table.surplus()?.name == [0] && table.surplus()?.name == [1])
        for _ in 0..<1000 { _ = table.surplus() }
        #expect(table.surplus() != nil, "all of them are used: it is asked again")
        table.forget(numbers[0], 1)
        table.forget(numbers[1], 1)
        #expect(table.surplus() == nil && table.count == 3)
    }

    @Test func `a folder is listed from any number`() throws {
        let folder = try OpenFolder(MemoryFolder((0..<10).map { .file("\($0)", []) }))
        func names(from number: UInt64, _ most: Int) throws -> [String] {
            var names: [String] = []
            try folder.forEach(from: number) { entry, place in
                guard names.count < most else { return false }
                #expect(place == number + UInt64(names.count))
                names.append(String(decoding: entry.name, as: UTF8.self))
                return true
            }
            return names
        }
        #expect(try names(from: 0, 3) == ["0", "1", "2"])
        #expect(try names(from: 3, 3) == ["3", "4", "5"])
        #expect(try names(from: 1, 2) == ["1", "2"])
        #expect(try names(from: 8, 9) == ["8", "9"])
        #expect(try names(from: 10, 9) == [] && names(from: 1000, 9) == [])
        #expect(try names(from: 0, 100).count == 10)
    }

    @Test func `a moment is one of HTTP`() {
        #expect(HTTPDate.encode(UTCTime(seconds: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.encode(UTCTime(seconds: 0)) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.encode(UTCTime(seconds: -1)) == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(HTTPDate.encode(UTCTime(seconds: .max)).hasPrefix("Fri, 31 Dec 9999"))
        #expect(HTTPDate.encode(UTCTime(seconds: .min)).hasSuffix("Jan 0000 00:00:00 GMT"))
    }

    @Test func `a library that is missing, or is another one, is said`() {
        for name in ["libno-such-library.so.9", "libc.so.6"] {
            #expect {
                try FuseLibrary.attempt(name)
            } throws: {
                ($0 as? MountError)?.remedy == .installLibfuse
            }
        }
    }

    @Test func `elements have their namespaces`() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- a -- comment --><D:propfind xmlns:D='DAV:' xmlns="urn:x"><a b="c">text &amp; &#65;&#x42;</a>\
            <D:b xmlns:D="urn:y"/><D:c><![CDATA[<no>]]></D:c></D:propfind>\n
            """
        #expect(
            try XMLElements.read(Array(text.utf8)) == [
                XMLElement(namespace: "DAV:", name: "propfind", depth: 0),
                XMLElement(namespace: "urn:x", name: "a", depth: 1),
                XMLElement(namespace: "urn:y", name: "b", depth: 1),
                XMLElement(namespace: "DAV:", name: "c", depth: 1),
            ])
    }

    private static let defects = [
        "", " ", "a", "<a", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a/>b", "<!DOCTYPE a><a/>", "<?p?><a/>",
        "<a b/>",
        "<a b=c/>", "<a b='<'/>", "<a b='&lt;'/>", "<a b='1' b='2'/>", "<a b='1'c='2'/>", "<a>&b;</a>",
        "<a>&#0;</a>",
        "<a>&#xD800;</a>", "<a>&#99999999;</a>", "<a:b/>", "<a:b:c xmlns:a='x'/>", "<:a/>", "<1/>",
        "<a>\u{1}</a>",
        "<a><![CDATA[</a>", "<!-- <a/>", "<?xml version='2.0'?><a/>",
        "<?xml version='1.0' encoding='x'?><a/>",
        "<a xmlns:b='x'/><b:c/>",
    ]

    @Test(arguments: defects) func `what is no document is refused`(text: String) {
        #expect(throws: XMLDefect.self) { _ = try XMLElements.read(Array(text.utf8)) }
    }

    @Test func `a document of any bytes is read or refused`() {
        let seed = UInt64.random(in: .min ... .max)
        print("documents: seed \(seed)")
        var generator = SystemRandomNumberGenerator()
        let parts = [
            "<", ">", "/", "a", ":", "xmlns", "=", "'", "\"", "&", ";", "#", "!--", "-->", "?xml", " ",
            "\u{301}",
        ]
        for _ in 0..<3000 {
            let count = Int.random(in: 0...30, using: &generator)
            let text = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
            _ = try? XMLElements.read(Array(text.utf8))
        }
    }

    @Test func `a path is one of names`() {
        #expect(RequestPath("/")?.names == [] && RequestPath("/a/b/")?.names == [[0x61], [0x62]])
        #expect(RequestPath("/a%2Fb") == nil && RequestPath("/%2e") == nil && RequestPath("a") == nil)
        #expect(RequestPath("/%FF?x=/../")?.names == [[0xff]])
        #expect(RequestPath("/" + String(repeating: "a", count: 9000)) == nil)
        #expect(RequestPath("//") == nil && RequestPath("/a//b") == nil)
        #expect(RequestPath.encoded([0x61, 0x20, 0xff, 0x2f]) == "a%20%FF%2F")
    }

    @Test func `the password is any user's`() {
        let access = WebDAVAccess(port: 4000)
        func verdict(_ target: String, _ field: String? = nil) -> WebDAVAccess.Verdict {
            access.verdict(on: target) { name in
                switch name {
                case "host": ["127.0.0.1:4000"]
                case "authorization": field.map { [$0] } ?? []
                default: []
                }
            }
        }
        let token = access.token.text
        let basic = "Basic " + Base64.encode(Array("a:\(token)".utf8))
        #expect(verdict("/x") == .unknown && verdict("/x", basic + "x") == .unknown)
        #expect(verdict("/x", basic) == .allowed(RequestPath(names: [[0x78]]), prefix: ""))
        #expect(verdict("/\(token)/x") == .allowed(RequestPath(names: [[0x78]]), prefix: "/\(token)"))
        #expect(verdict("/\(token)") == .allowed(RequestPath(names: []), prefix: "/\(token)"))
        #expect(verdict("/x", "Bearer \(token)") == .unknown)
        #expect(verdict("/x", "basic " + Base64.encode(Array(":\(token)".utf8))) != .unknown)
        #expect(verdict("/x", "Basic " + Base64.encode(Array(token.utf8))) == .unknown)
    }
}
