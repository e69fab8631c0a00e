import FaultInjection
import Foundation
import Testing
import ValiseStorage

@testable import ValiseRepository

struct RecordTreeTests {
    /// The one tree with a link that restic 0.14 could not keep has `\ufffd` as an escape, which a program that knows only the
    /// text writes as a character.
    private func comparable(_ json: [UInt8]) -> String {
        String(decoding: json, as: UTF8.self).replacing(#"bad-\ufffd-target"#, with: "bad-\u{fffd}-target")
    }

    @Test(arguments: ["v1", "v2"]) func `trees of restic are written as they were`(version: String) throws {
        let trees = try RecordFixture.records(version, "trees")
        #expect(trees.count == 9)
        for (id, json) in trees {
            let tree = try Tree(json)
            #expect(tree.isSorted)
            #expect(tree.nodes.allSatisfy { !$0.hasUnknownFields })
            var encoder = TreeEncoder()
            for node in tree.nodes { try encoder.append(node) }
            let written = encoder.finish()
            if version == "v2" { #expect(written == json, "\(id)") }
            #expect(comparable(written) == comparable(json), "\(id)")
        }
    }

    /// As `restic ls --json` shows them.
    @Test(arguments: ["v1", "v2"], ["1", "2"])
    func `a walk finds what restic lists`(version: String, number: String) throws {
        let lines = try String(decoding: RecordFixture.bytes("\(version)/ls\(number).jsonl"), as: UTF8.self)
            .split(separator: "\n")
            .map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
        let root = try #require(lines.first?["tree"] as? String)
        var listed: [[String: String]] = []
        try walk(version, root, "") { path, node in
            let kinds = node.kind == .file ? ["size": "\(node.size)"] : [:]
            listed.append(
                [
                    "name": String(decoding: node.name, as: UTF8.self), "path": path,
                    "type": node.kind.rawValue,
                    "uid": "\(node.userID)", "gid": "\(node.groupID)", "mode": "\(node.mode.rawValue)",
                    "mtime": node.modified.text, "atime": node.accessed.text, "ctime": node.changed.text,
                ].merging(kinds) { $1 })
        }
        #expect(listed.count == lines.count - 1)
        for (line, node) in zip(lines.dropFirst(), listed) {
            for (key, value) in node { #expect(line[key].map { "\($0)" } == value, "\(key) of \(node)") }
        }
    }

    private func walk(
        _ version: String, _ id: String, _ path: String, _ body: (String, TreeNode) throws -> Void
    ) throws {
        let tree = try Tree(RecordFixture.bytes("\(version)/trees/\(id).json"))
        for node in tree.nodes {
            let place = "\(path)/\(String(decoding: node.name, as: UTF8.self))"
            try body(place, node)
            if let subtree = node.subtree { try walk(version, subtree.text, place, body) }
        }
    }

    @Test func `odd entries have their bytes`() throws {
        let tree = try Tree(
            RecordFixture.bytes(
                "v2/trees/4f28e7e8d54d78aeff409347dd6dcdeb2ee515a0c2c44e1685cbd5aa65517c75.json"))
        #expect(
            tree.nodes.contains { $0.name == Array("not-utf8-".utf8) + [0xff, 0xfe] + Array(".bin".utf8) })
        #expect(tree.nodes.contains { $0.name == Array("quote\" back\\slash\ttab.txt".utf8) })
        let link = try #require(tree.nodes.first { $0.name == Array("badlink".utf8) })
        #expect(link.target == Array("bad-".utf8) + [0xfe] + Array("-target".utf8))
        #expect(link.kind == .symlink && link.content == nil && link.mode.posix == 0o120777)
    }

    /// A node with anything in all fields.
    private static func node(_ name: [UInt8], _ random: inout SeededGenerator) -> TreeNode {
        func sometimes<Value>(_ value: Value, _ other: Value) -> Value {
            Bool.random(using: &random) ? value : other
        }
        let kinds: [TreeNode.Kind] = [
            .file, .folder, .symlink, .blockDevice, .characterDevice, .pipe, .socket, .irregular,
        ]
        var node = TreeNode(name: name, kinds[Int.random(in: 0..<kinds.count, using: &random)])
        node.mode = FileMode(rawValue: sometimes(UInt32.random(in: 0...(.max), using: &random), 0))
        node.modified = RecordTime(
            seconds: Int64.random(in: 0...4_000_000_000, using: &random),
            nanoseconds: Int.random(in: 0..<1_000_000_000, using: &random), offset: sometimes(3600, 0))
        node.changed = sometimes(node.modified, TreeNode.noTime)
        node.userID = sometimes(.max, 0)
        node.groupID = sometimes(7, 0)
        node.user = sometimes("root <&>", "")
        node.group = sometimes("é\u{2028}", "")
        node.inode = sometimes(.max, 0)
        node.deviceID = sometimes(5, 0)
        node.size = sometimes(.max, 0)
        node.links = sometimes(2, 0)
        node.target = sometimes([0x61, 0xff, 0x2f], sometimes(Array("b/ü".utf8), []))
        let attribute = TreeNode.Attribute(name: "user.a", value: sometimes([0, 255, 1], sometimes([], nil)))
        node.attributes = sometimes([attribute, attribute], [])
        node.genericAttributes = sometimes(#"{"windows.creation_time":"AAA=","x":[1,{}]}"#.json, nil)
        node.device = sometimes(99, 0)
        node.content =
            node.kind == .file ? (0..<Int.random(in: 0..<4, using: &random)).map(RecordFixture.id) : nil
        node.subtree = node.kind == .folder ? RecordFixture.id(5) : nil
        node.error = sometimes("open: permission denied", "")
        return node
    }

    @Test func `each field comes back`() throws {
        let seed = CryptoFixture.seed("entries of trees")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            var names: Set<[UInt8]> = []
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                names.insert([
                    UInt8.random(in: 0x30...0xff, using: &random),
                    UInt8.random(in: 0x30...0xff, using: &random),
                ])
            }
            let nodes = names.sorted { $0.lexicographicallyPrecedes($1) }.map { Self.node($0, &random) }
            var encoder = TreeEncoder()
            for node in nodes { try encoder.append(node) }
            let json = encoder.finish()
            #expect(try JSONSerialization.jsonObject(with: Data(json)) is [String: Any])
            let tree = try Tree(json)
            #expect(tree.nodes == nodes, "\(seed)")
            #expect(tree.isSorted)
        }
    }

    @Test func `names are written in the order of bytes, each once`() throws {
        var encoder = TreeEncoder()
        try encoder.append(TreeNode(name: Array("B".utf8), .file))
        try encoder.append(TreeNode(name: Array("a".utf8), .file))
        for name in ["a", "A", "B"] {
            #expect(throws: RepositoryError.self) {
                try encoder.append(TreeNode(name: Array(name.utf8), .file))
            }
        }
        try encoder.append(TreeNode(name: [0xff], .file))
        #expect(throws: RepositoryError.self) { try encoder.append(TreeNode(name: Array("é".utf8), .file)) }
        for name in ["", ".", "..", "\u{ff}/x"] {
            #expect(throws: RepositoryError.self) {
                try encoder.append(TreeNode(name: Array(name.utf8), .file))
            }
        }
        let size = encoder.size
        let blob = encoder.finish()
        #expect(blob.count > size)
        #expect(try Tree(blob).nodes.map(\.name) == [Array("B".utf8), Array("a".utf8), [0xff]])
    }

    @Test func `what is not in order is read, and said`() throws {
        let nodes = ["b", "a"].map { #"{"name":"\#($0)","type":"file","content":[]}"# }.joined(separator: ",")
        let tree = try Tree(#"{"nodes":[\#(nodes)]}"#.json)
        #expect(tree.nodes.count == 2 && !tree.isSorted)
        #expect(try !Tree(#"{"nodes":[{"name":"a","type":"dir"},{"name":"a","type":"file"}]}"#.json).isSorted)
    }

    @Test func `trees of other programs are read`() throws {
        #expect(try Tree("{}".json).nodes.isEmpty)
        #expect(try Tree(#"{"nodes":null}"#.json).nodes.isEmpty)
        #expect(try Tree(#" { "x" : [1] , "nodes" : [ ] , "y" : {} } "#.json).nodes.isEmpty)
        let tree = try Tree(
            #"{"nodes":[{"type":"hologram","name":"a","new_field":{"a":[1]},"content":null,"size":null}]}"#
                .json)
        let node = try #require(tree.nodes.first)
        #expect(node.kind == .unknown && node.hasUnknownFields && node.content == nil)
        var encoder = TreeEncoder()
        #expect(throws: RepositoryError.self) { try encoder.append(node) }
    }

    @Test(arguments: [
        "", "[]", "null", #"{"nodes":{}}"#, #"{"nodes":[1]}"#, #"{"nodes":[{}]}"#,
        #"{"nodes":[{"name":"a"}]}"#,
        #"{"nodes":[{"type":"file"}]}"#, #"{"nodes":[{"name":"..","type":"dir"}]}"#,
        #"{"nodes":[{"name":"a/b","type":"file"}]}"#, #"{"nodes":[{"name":"\\x2fetc","type":"file"}]}"#,
        #"{"nodes":[{"name":"\\x00","type":"file"}]}"#, #"{"nodes":[{"name":"a\"b","type":"file"}]}"#,
        #"{"nodes":[{"name":"\\q","type":"file"}]}"#, #"{"nodes":[{"name":"a","type":"file","size":-1}]}"#,
        #"{"nodes":[{"name":"a","type":"file","mode":4294967296}]}"#,
        #"{"nodes":[{"name":"a","type":"file","mtime":"yesterday"}]}"#,
        #"{"nodes":[{"name":"a","type":"file","content":["00"]}]}"#,
        #"{"nodes":[{"name":"a","type":"symlink","linktarget_raw":"!"}]}"#, #"{"nodes":[]}x"#,
        #"{"nodes":[],}"#,
        #"{"nodes":[{"name":"a","type":"file"},]}"#,
    ])
    func `what is no tree is damage`(text: String) {
        #expect(throws: RepositoryError.self) { try Tree(text.json) }
    }

    @Test func `a tree that is cut off at any byte, or has one that is wrong, does not trap`() throws {
        for (_, json) in try RecordFixture.records("v2", "trees") {
            for length in 0..<json.count - 2 {
                #expect(throws: RepositoryError.self) { try Tree(Array(json[..<length])) }
            }
        }
        let seed = CryptoFixture.seed("damaged trees")
        var random = SeededGenerator(seed: seed)
        let json = try #require(
            try RecordFixture.records("v2", "trees").max { $0.json.count < $1.json.count }
        ).json
        for _ in 0..<3000 {
            var damaged = json
            damaged[Int.random(in: 0..<json.count, using: &random)] = .random(in: 0...255, using: &random)
            _ = try? Tree(damaged)
        }
    }

    /// A database of 160 MB in pages.
    @Test func `a list of 40,000 blobs is written and read`() throws {
        var node = TreeNode(name: Array("simplex_v1_chat.db".utf8), .file)
        node.content = (0..<40_000).map(RecordFixture.id)
        var encoder = TreeEncoder()
        try encoder.append(node)
        let blob = encoder.finish()
        #expect(blob.count > 67 * 40_000)
        #expect(try Tree(blob).nodes == [node])
    }
}
