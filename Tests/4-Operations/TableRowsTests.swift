import Testing

@testable import Valise

/// Tables for users whose cells are not cut.
struct TableRowsTests {
    private func table(_ width: Int?) throws -> String {
        try TableRows.whole(
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

    @Test func `where the terminal is narrower, each row is a record`() throws {
        let lines = [
            "job 3", "  state       interrupted", "  operation   export of a to b", "", "job 12",
            "  state       waiting", "  done        40%", "  operation   import",
            "  the network is unreachable, and was for a while",
        ]
        #expect(try table(39) == lines.joined(separator: "\n"))
    }
}
