import Testing
import ValiseArchives
import ValiseFailures

@Suite struct ZipNameTests {
    @Test(arguments: [
        "a", "simplex_v1_chat.db", "simplex_v1_files/IMG_2024.jpg", "a/b/c", "Grüße 🎒.txt", "...a", ".hidden",
        "console.txt", "com.txt", "com10", "nullable.db", "a b", "e\u{301}.jpg", "日本語/ファイル.png",
    ])
    func accepts(_ name: String) throws {
        #expect(try ZipName.check(Array(name.utf8)) == name)
    }

    @Test(
        arguments: [
            ("", .nameEmpty), ("/a", .nameAbsolute), ("/", .nameAbsolute), ("../a", .nameParent),
            ("a/../b", .nameParent), ("a/..", .nameParent), ("..", .nameParent), ("./a", .nameDot),
            ("a/./b", .nameDot), ("a//b", .nameEmptyComponent), ("a/", .nameEmptyComponent),
            ("a\\b", .nameBackslash), ("..\\a", .nameBackslash), ("C:a", .nameDrive), ("c:/a", .nameDrive),
            ("a\u{0}b", .nameControl), ("a\nb", .nameControl), ("\u{1b}[2J", .nameControl),
            ("a\u{7f}", .nameControl),
            ("a<b", .nameReserved), ("a>b", .nameReserved), ("ab:c", .nameReserved), ("a\"b", .nameReserved),
            ("a|b", .nameReserved), ("a?b", .nameReserved), ("a*b", .nameReserved), ("a.", .nameTrailing),
            ("a ", .nameTrailing), ("a./b", .nameTrailing), ("...", .nameTrailing), ("CON", .nameDevice),
            ("nul.txt", .nameDevice), ("COM1", .nameDevice), ("com¹.log", .nameDevice),
            ("x/aux.jpg", .nameDevice),
            ("lpt9.a.b", .nameDevice), ("con .txt", .nameDevice), ("CONIN$", .nameDevice),
        ] as [(String, ZipError.Defect)])
    func refuses(_ name: String, _ defect: ZipError.Defect) {
        let error = #expect(throws: ZipError.self) { try ZipName.check(Array(name.utf8)) }
        #expect(error?.defect == defect)
    }

    /// A mark that joins the separator into one character must not hide the separator.
    @Test(arguments: ["\u{301}", "\u{200d}", "\u{fe0f}", "\u{20dd}"])
    func seesSeparatorsThroughCombiningMarks(_ mark: String) {
        func defect(_ name: String) -> ZipError.Defect? {
            do throws(ZipError) {
                _ = try ZipName.check(Array(name.utf8))
                return nil
            } catch { return error.defect }
        }
        #expect(defect("a/../\(mark)x") == .nameParent)
        #expect(defect("a/./\(mark)x") == .nameDot)
        #expect(defect("/\(mark)x") == .nameAbsolute)
        #expect(defect("a//\(mark)x") == .nameEmptyComponent)
        #expect(defect("a\\\(mark)x") == .nameBackslash)
        #expect(defect("aux.\(mark)x") == .nameDevice)
        #expect(ZipName.fault(ofComponent: "a\\\(mark)x")?.0 == .nameBackslash)
    }

    @Test func refusesWhatIsNotUTF8() {
        for bytes in [[0xff], [0xc0, 0xaf], [0x61, 0xed, 0xa0, 0x80], [0xe2, 0x82]] as [[UInt8]] {
            let error = #expect(throws: ZipError.self) { try ZipName.check(bytes) }
            #expect(error?.defect == .nameNotUTF8)
        }
    }

    @Test func limitsComponentsByBytes() throws {
        let longest = String(repeating: "ü", count: 127) + "a"
        #expect(try ZipName.check(Array("x/\(longest)".utf8)) == "x/\(longest)")
        let error = #expect(throws: ZipError.self) { try ZipName.check(Array("x/\(longest)b".utf8)) }
        #expect(error?.defect == .nameTooLong)
    }

    @Test func messagesCannotWriteToTheTerminal() throws {
        let error = #expect(throws: ZipError.self) { try ZipName.check(Array("a\u{1b}]0;x\u{7}\u{9b}".utf8)) }
        let scalars = try #require(error).description.unicodeScalars
        #expect(scalars.allSatisfy { $0.value >= 32 && $0.value < 127 })
    }
}
