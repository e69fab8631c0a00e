import Testing

@testable import Valise

/// Tables for users whose cells are not cut.
struct TableRowsTests {
    private func table(_ width: Int?) throws -> String {
        try TableRows.completeTable(
            ["job", "state", "done", "operation"],
            [
                [.integer(3), .text("interrupted"), .text(""), .text("export of a to b")],
                [.integer(12), .text("waiting"), .text("40%"), .text("import")],
            ], width: width, title: "job ", remarks: ["", "the network is unreachable, and was for a while"])
    }

    @Test func `a remark is on a line of its own and widens no column`() throws {
        let lines = [
            "job  state        done  operation", "---  -----------  ----  ----------------",
            "  3  interrupted        export of a to b", " 12  waiting      40%   import",
            "     the network is unreachable, and was for a while",
        ]
        #expect(try table(nil) == lines.joined(separator: "\n"))
        #expect(try table(40) == table(nil))
    }

    @Test func `a flexible column is cut where the others fit beside it`() throws {
        let rows: [[Value]] = [[.text("@kim"), .text("a name that is rather long"), .integer(7)]]
        func table(_ width: Int) throws -> [Substring] {
            try TableRows.completeTable(["chat", "name", "unread"], rows, width: width, flexible: 1)
                .split(separator: "\n")
        }
        #expect(try table(30).last == "@kim  a name that is …       7")
        #expect(try table(80).last == "@kim  a name that is rather long       7")
        #expect(try table(20).first == "@kim")
    }

    @Test func `where the terminal is narrower, each row is a record`() throws {
        let lines = [
            "job 3", "  state       interrupted", "  operation   export of a to b", "", "job 12",
            "  state       waiting", "  done        40%", "  operation   import",
            "  the network is unreachable, and was for a while",
        ]
        #expect(try table(39) == lines.joined(separator: "\n"))
    }

    @Test func `where the names of columns do not fit, each row is a block; long text is only cut`() throws {
        let names = ["user_id", "display_name"]
        let rows: [[Value]] = [[.integer(1), .text("a")], [.integer(2), .null]]
        let blocks = [
            "user_id        1", "  display_name a", "", "user_id        2", "  display_name NULL",
        ]
        #expect(try TableRows.text(names, rows, width: 18) == blocks.joined(separator: "\n"))
        let table = ["user_id  display_name", "-------  ------------", "      1  a", "      2  NULL"]
        #expect(try TableRows.text(names, rows, width: 40) == table.joined(separator: "\n"))
        #expect(try TableRows.text(names, rows) == table.joined(separator: "\n"))
        #expect(try TableRows.text(names, [], width: 18).hasPrefix("user_id"))
        let many = (0..<20).map { "c\($0)" }
        let row = many.map { Value.text($0) }
        #expect(try TableRows.text(many, [row], width: 40).hasPrefix("c0    c0\n  c1  c1\n"))
        let long = try TableRows.text(["id", "text"], [[.integer(1), .text("long text")]], width: 12)
        #expect(long == "id  text\n--  -------\n 1  long t…")
    }
}
