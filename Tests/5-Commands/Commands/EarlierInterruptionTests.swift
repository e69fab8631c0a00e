import Foundation
import TestPeers
import Testing

/// Operations that an earlier program left when it was killed, at each of their phases (`Fixtures/interrupted`): this one
/// completes them or rolls them back. In one run some ten phases of each kind, others in the next; with `VALISE_SOAK` all.
@Suite(.enabled(if: Program.tool("python3") != nil && Program.tool("sqlcipher") != nil))
struct EarlierInterruptionTests {
    private static let folder = Repository.beside("Fixtures/interrupted")
    private static let isSoak = ProcessInfo.processInfo.environment["VALISE_SOAK"] != nil

    private static let kinds =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
        .filter { $0.hasSuffix(".tar.xz") }.map { String($0.dropLast(".tar.xz".count)) }.sorted() ?? []

    @Test func `there are fixtures of every kind of operation`() {
        #expect(Self.kinds.count == 33, "\(Self.kinds)")
    }

    @Test(arguments: kinds)
    func
        `what an earlier program was killed at ends in the old state or the new one, and nothing is left over`(
            _ kind: String
        ) throws
    {
        let script = Repository.url("Scripts/check-interrupted.py")
        let outcome = try Program.run(
            try #require(Program.tool("python3")),
            [script.path, Program.valise, Self.folder.path, kind] + (Self.isSoak ? [] : ["--some"]),
            environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        #expect(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
        print(outcome.output, terminator: "")
    }
}
