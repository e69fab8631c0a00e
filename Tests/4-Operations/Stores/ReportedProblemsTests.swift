import Testing

@testable import Valise

/// What is said while files are shown that cannot be read.
struct ReportedProblemsTests {
    @Test func `the same problem is said once`() {
        let reported = ReportedProblems()
        #expect(reported.isNew("a: damaged"))
        #expect(!reported.isNew("a: damaged"))
        #expect(reported.isNew("b: damaged"))
    }

    @Test func `a folder full of damaged files does not fill the terminal`() {
        let reported = ReportedProblems()
        let said = (0..<5000).filter { reported.isNew("\($0): damaged") }
        #expect(said.count == 1000)
    }
}
