import Logging
import Testing
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// What the operator hears of disks that fail.
@Suite(.serialized)
struct FailureLogTests {
    private struct Broken: Error {}

    @Test func `one line a minute, and how many there were`() {
        let lines = CapturedLog.Lines()
        let log = FailureLog(Logger(label: "test") { _ in CapturedLog(lines) })
        let start = ContinuousClock.now
        for second in 0..<60 { log.report(Broken(), now: start + .seconds(second)) }
        #expect(lines.all.count == 1 && lines.all[0].contains("Broken"))
        log.report(Broken(), now: start + .seconds(60))
        #expect(lines.all.count == 2 && lines.all[1].contains("59"))
        log.report(Broken(), now: start + .seconds(150))
        #expect(lines.all.count == 3 && !lines.all[2].contains("moreSinceTheLast"))
    }

    @Test(.enabled(if: PythonClient.isThere))
    func `a body that cannot be read is told once`() async throws {
        let lines = CapturedLog.Lines()
        var options = RunningRelay.Options()
        options.logger = Logger(label: "test") { _ in CapturedLog(lines) }
        try await RunningRelay.with(options) { relay in
            let client = try PythonClient.begin("unreadable", with: relay)
            #expect(await client.readLine() == "stored")
            #expect(lines.all.isEmpty)
            try relay.replaceBodiesByFolders()
            try client.answer("")
            let (status, output) = await client.wait()
            #expect(status == 0, "\(output)")
            #expect(lines.all.count == 1, "\(lines.all)")
        }
    }
}
