import Testing
import ValiseArchives
import ValiseFailures

/// Tars that were made to do harm. What Documentation/formats/container-verdicts.md says of them is what is said here.
struct HostileTarTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let code: FailureCode
        let defect: String
        let bytes: [UInt8]

        var testDescription: String { name }

        init(
            _ name: String, _ code: FailureCode, _ defect: String, ends: Bool = true,
            _ make: (inout TarForge) -> Void
        ) {
            self.name = name
            self.code = code
            self.defect = defect
            var forge = TarForge()
            forge.add("simplex_v1_chat.db", content: "first")
            make(&forge)
            if ends { forge.end() }
            bytes = forge.bytes
        }
    }

    static let cases = [
        Case("absolute", .unsupported, "nameAbsolute") { $0.add("/etc/x", content: "x") },
        Case("parent", .unsupported, "nameParent") { $0.add("a/../../x", content: "x") },
        Case("dot", .unsupported, "nameDot") { $0.add("a/./x", content: "x") },
        Case("backslash", .unsupported, "nameBackslash") { $0.add("a\\x", content: "x") },
        Case("control", .unsupported, "nameControl") { $0.add("a\u{1b}[2J", content: "x") },
        Case("device-name", .unsupported, "nameDevice") { $0.add("aux.txt", content: "x") },
        Case("not-utf8", .unsupported, "nameNotUTF8") { $0.add([0x61, 0xff, 0xfe], content: [1]) },
        Case("folder-with-content", .damaged, "folderWithData") { $0.add("a/", content: "x") },
        Case("symbolic-link", .unsupported, "symbolicLink") {
            $0.add("simplex_v1_files", type: "2", link: "/etc")
            $0.add("simplex_v1_files/passwd", content: "x")
        },
        Case("hard-link", .unsupported, "hardLink") { $0.add("x", type: "1", link: "simplex_v1_chat.db") },
        Case("hard-link-outside", .unsupported, "hardLink") { $0.add("x", type: "1", link: "/etc/passwd") },
        Case("character-device", .unsupported, "specialFile") { $0.add("x", type: "3") },
        Case("block-device", .unsupported, "specialFile") { $0.add("x", type: "4") },
        Case("pipe", .unsupported, "specialFile") { $0.add("x", type: "6") },
        Case("duplicate", .damaged, "nameDuplicate") { $0.add("simplex_v1_chat.db", content: "second") },
        Case("duplicate-behind-dot", .damaged, "nameDuplicate") {
            $0.add("./simplex_v1_chat.db", content: "second")
        },
        Case("case", .unsupported, "nameCase") { $0.add("Simplex_v1_CHAT.db", content: "second") },
        Case("file-as-folder", .damaged, "nameFileAsFolder") {
            $0.add("simplex_v1_chat.db/x", content: "x")
        },
        Case("folder-as-file", .damaged, "nameFileAsFolder") {
            $0.add("a/b/c", content: "x")
            $0.add("a/b", content: "x")
        },
        Case("huge-size", .unsupported, "ratio") { $0.add("x", content: "x", size: 1 << 32) },
        Case("size-past-the-end", .damaged, "truncated") { $0.add("x", content: "x", size: 1 << 20) },
        Case("negative-size", .damaged, "data") {
            $0.add("x", content: "x", sizeField: Array(repeating: 0xff, count: 12))
        },
        Case("sparse-bomb", .unsupported, "ratio") {
            $0.addPax([
                ("GNU.sparse.major", "1"), ("GNU.sparse.minor", "0"), ("GNU.sparse.name", "x"),
                ("GNU.sparse.realsize", "1099511627776"),
            ])
            $0.add("x", content: "1\n0\n1\n" + String(repeating: "\0", count: 506) + "x")
        },
        Case("second-tar-behind", .unsupported, "trailingData") {
            $0.end()
            $0.add("hidden", content: "x")
        },
        Case("no-end", .damaged, "truncated", ends: false) { $0.add("x", content: "x") },
    ]

    @Test(arguments: cases) func `a hostile tar is refused with its own defect`(_ one: Case) {
        for skipping in [false, true] {
            let refusal = ReadContainer.refusal(one.bytes, skipping: skipping)
            #expect(refusal?.code == one.code && refusal?.defect == one.defect, "\(refusal as Any)")
        }
    }

    @Test func `a tar with folders and long names is read`() throws {
        var forge = TarForge()
        forge.add("./", type: "5")
        forge.add("./simplex_v1_files/", type: "5")
        forge.add("./simplex_v1_files/ü", content: "x")
        forge.addPax([("path", "simplex_v1_files/" + String(repeating: "l", count: 200))])
        forge.add("short", content: "y")
        forge.end()
        let read = try ReadContainer(forge.bytes)
        #expect(read.folders == ["simplex_v1_files"] && read.format == "tar")
        #expect(
            read.names == [
                "simplex_v1_files/ü", "simplex_v1_files/" + String(repeating: "l", count: 200),
            ])
        #expect(read.entries.map(\.content) == [Array("x".utf8), Array("y".utf8)])
    }

    @Test func `a long component in a pax header is refused as in a zip`() {
        var forge = TarForge()
        forge.addPax([("path", String(repeating: "l", count: 300))])
        forge.add("short", content: "y")
        forge.end()
        #expect(ReadContainer.refusal(forge.bytes)?.defect == "nameTooLong")
    }

    @Test func `a tar that is cut anywhere is refused`() {
        var forge = TarForge()
        forge.add("simplex_v1_chat.db", content: String(repeating: "c", count: 1700))
        forge.addPax([("path", "simplex_v1_files/" + String(repeating: "l", count: 200))])
        forge.add("short", content: "x")
        forge.add(Array("zeros".utf8), content: [UInt8](repeating: 0, count: 3000))
        let entries = forge.bytes.count
        forge.end()
        for end in stride(from: 512, through: entries, by: 512) {
            for end in [end - 1, end] where end >= 512 {
                let refusal = ReadContainer.refusal(Array(forge.bytes[..<end]), skipping: end % 1024 == 0)
                #expect(refusal?.code == .damaged, "cut at \(end): \(refusal as Any)")
            }
        }
        #expect(ReadContainer.refusal(forge.bytes) == nil)
    }

    @Test func `more entries than the limit are refused, and thousands are read`() throws {
        let files = (0..<5000).map { ("simplex_v1_files/\($0)", "") }
        let tar = TarForge.tar(files)
        #expect(try ReadContainer(tar).entries.count == 5000)
        let refusal = ReadContainer.refusal(tar, limits: ZipLimits(entries: 4999))
        #expect(refusal?.defect == "tooManyEntries" && refusal?.code == .unsupported)
    }

    @Test func `bytes that are no archive are none`() {
        for bytes in [[], [0x50, 0x4b, 3, 4], Array("simplex".utf8), [UInt8](repeating: 0, count: 2048)] {
            #expect(throws: ReadContainer.NoContainer.self) { try ReadContainer(bytes) }
        }
    }
}
