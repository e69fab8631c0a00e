import TestPeers
import Testing
import ValiseFailures

@testable import ValiseContentStore

struct StorePathTests {
    @Test(arguments: [
        "a", "a/b/c", "chats/2026/alice.jsonl", "переписка/ä.txt", ".git/config", ".git/refs/heads/main",
        "a b/c d",
        "...a", "console.txt", "com/port", "com10", "lpt0.txt", ".tcfs_dirs", "a~1", ".gitignore",
        "head/.git", "con-a",
    ])
    func `a canonical path is taken as it is`(text: String) throws {
        let path = try StorePath(text)
        #expect(path.text == text && path.isCanonical && path.description == text)
    }

    @Test(arguments: [
        ("", StorePath.Fault.empty), ("/a", .absolute), ("a\\b", .backslash), ("a\u{1}", .control),
        ("a\u{85}", .control),
        ("a\n", .control), ("a//b", .emptyComponent), ("a/", .emptyComponent), ("a/./b", .relative),
        ("..", .relative),
        ("a/..", .relative), ("../a", .relative), ("a/.tcfs_dir", .marker), (".tcfs_dir/a", .marker),
        (String(repeating: "a", count: 1001), .tooLong),
    ])
    func `a path that leads elsewhere is refused always`(text: String, fault: StorePath.Fault) {
        let canonical = #expect(throws: ContentStoreError.self) { try StorePath(text) }
        #expect(canonical?.code == .invalid && canonical?.message.hasSuffix(fault.rawValue) == true)
        let lenient = #expect(throws: ContentStoreError.self) { try StorePath(lenient: text) }
        #expect(lenient?.code == .damaged && lenient?.subject == text)
    }

    @Test(arguments: [
        ("a\u{308}", StorePath.Fault.notComposed), ("\u{212b}", .notComposed), ("a.", .ending),
        ("a /b", .ending),
        ("a\u{2003}", .ending), ("a<b", .character), ("a>b", .character), ("a:b", .character),
        ("a\"b", .character),
        ("a|b", .character), ("a?b", .character), ("a*b", .character), ("con", .device), ("CON.txt", .device),
        ("a/Nul", .device), ("prn.a.b", .device), ("com1", .device), ("LPT9.x", .device), ("com¹", .device),
        ("conin$", .device), ("CONOUT$.x", .device), ("aux .txt", .device), (".GIT/config", .gitFolder),
        (".Git", .gitFolder), ("git~1", .gitFolder), ("a/GIT~1/x", .gitFolder), (".git/head", .gitFolder),
        (".git/CONFIG", .gitFolder), (".git/Hooks/x", .gitFolder),
    ])
    func `a path that another system takes for another one is read only`(text: String, fault: StorePath.Fault)
        throws
    {
        let error = #expect(throws: ContentStoreError.self) { try StorePath(text) }
        #expect(error?.message.hasSuffix(fault.rawValue) == true)
        #expect(try !StorePath(lenient: text).isCanonical)
    }

    @Test func `a path knows its name and the folders above it`() throws {
        let path = try StorePath(lenient: "a/\u{301}b/c")
        #expect(path.components.map { Array($0.utf8) } == [[0x61], [0xcc, 0x81, 0x62], [0x63]])
        #expect(path.ancestors.map(\.text) == ["a", "a/\u{301}b"])
        #expect(path.name == "c")
        #expect(try StorePath("x").ancestors.isEmpty)
        let (one, other) = (try StorePath(lenient: "\u{e4}"), try StorePath(lenient: "a\u{308}"))
        #expect(one != other && Set([one, other]).count == 2 && other < one)
    }

    // MARK: Folding

    @Test(arguments: [
        ("ABC", "abc"), ("Straße", "strasse"), ("ẞ", "ss"), ("ΌΣΟΣ ς", "όσοσ σ"), ("İ", "i\u{307}"),
        ("ı", "ı"),
        ("K\u{212a}", "kk"), ("ﬃ", "ffi"), ("ᾳᾼ", "αιαι"), ("Ꮳꭰᏸ", "ᏣᎠᏰ"), ("ŉ", "ʼn"), ("A\u{308}", "ä"),
        ("\u{1e9b}\u{323}", "\u{1e69}"), ("Ǆǅ", "ǆǆ"), ("\u{345}", "ι"), ("µ", "μ"),
        ("переПИСКА", "переписка"),
    ])
    func `case is folded as Unicode says`(text: String, folded: String) {
        #expect(Array(text.folded.unicodeScalars) == Array(folded.unicodeScalars))
    }

    @Test func `text is composed as Unicode says`() {
        for (text, composed) in [
            ("a\u{308}", "\u{e4}"), ("\u{212b}", "\u{c5}"), ("\u{1112}\u{1161}\u{11ab}", "\u{d55c}"),
            ("\u{fb01}", "\u{fb01}"),
            ("\u{958}", "\u{915}\u{93c}"), ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("abc", "abc"),
        ] {
            #expect(Array(text.composed.unicodeScalars) == Array(composed.unicodeScalars))
            #expect(composed.isComposed)
        }
        #expect(!"a\u{308}".isComposed && !"q\u{307}\u{323}".isComposed)
    }

    @Test(.enabled(if: OtherProgram.isThere("python3"))) func `each character folds as in Python`() throws {
        // Those that Python knows: other versions of Unicode have more.
        let script = """
            import unicodedata
            for value in range(0x110000):
                text = chr(value)
                if unicodedata.category(text) in ('Cn', 'Cs'): continue
                folded = unicodedata.normalize('NFC', text.casefold())
                if folded != text: print(value, *[ord(part) for part in folded])
            """
        let outcome = try #require(OtherProgram("python3")).outcome(of: ["-c", script])
        var known: [UInt32: [UInt32]] = [:]
        for line in outcome.text.split(separator: "\n") {
            let numbers = line.split(separator: " ").compactMap { UInt32($0) }
            known[try #require(numbers.first)] = Array(numbers.dropFirst())
        }
        #expect(known.count > 1400)
        for (value, folded) in known {
            let text = String(try #require(Unicode.Scalar(value)))
            #expect(text.folded.unicodeScalars.map(\.value) == folded, "\(String(value, radix: 16))")
        }
    }
}
