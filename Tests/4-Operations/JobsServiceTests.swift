import Testing

@testable import Valise

/// The systemd unit that runs pending jobs.
struct JobsServiceTests {
    @Test(arguments: [
        ("/usr/bin/program", false, "/usr/bin/program"), ("/a b/c", false, "\"/a b/c\""),
        ("50%", false, "\"50%%\""), ("$HOME", false, "\"$$HOME\""), ("A=$HOME", true, "\"A=$HOME\""),
        ("a\"b\\c\nd", false, #""a\"b\\c\nd""#),
    ])
    func `systemd reads a word as it was`(word: String, isValue: Bool, quoted: String) {
        #expect(SystemdWord.quoted(word, isValue: isValue) == quoted)
    }

    @Test func `a unit runs this program with its arguments, variables and statuses`() async throws {
        let operation = DescribeJobsService(
            introduction: ["one", "two"], manual: "page(1)", arguments: ["run", "all of it"],
            environment: [("A", "1"), ("B", "x y")], finalStatuses: [10, 64])
        let lines = operation.text("/a/b").split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["# one", "# two"])
        #expect(lines.contains("ExecStart=/a/b run \"all of it\"") && lines.contains("Environment=A=1"))
        #expect(lines.contains("Environment=\"B=x y\"") && lines.contains("Documentation=man:page(1)"))
        #expect(lines.contains("RestartPreventExitStatus=10 64") && lines.contains("Restart=on-failure"))
        let unit = try await operation.run(in: OperationContext()).text
        #expect(unit.contains("\nExecStart=") && !unit.contains("/proc/self/exe"))
    }
}
