import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing

@testable import Valise

/// What a monitoring service hears of a run.
@Suite(.enabled(if: OtherProgram.isThere("python3")))
struct MonitorTests {
    private let fixture: BackupRunFixture
    private let peer: MonitorPeer

    init() async throws {
        fixture = try BackupRunFixture()
        try await fixture.account("laptop")
        peer = try MonitorPeer(fixture.folder)
    }

    @Test func `it hears of the start and of success or failure`() async throws {
        var operation = try fixture.operation("laptop")
        operation.monitor = try MonitorAddress("http://127.0.0.1:\(peer.port)/check")
        _ = try await operation.run(in: fixture.context)
        #expect(try peer.heard() == ["/check/start", "/check"])
        operation.accounts.append(BackUpAccounts.Account(fixture.folder.appending("missing")))
        _ = try await operation.run(in: fixture.context)
        #expect(try peer.heard().suffix(2) == ["/check/start", "/check/fail"])
        operation.accounts.removeFirst()
        await #expect(throws: AccountError.self) { try await operation.run(in: fixture.context) }
        #expect(try peer.heard().suffix(2) == ["/check/start", "/check/fail"])
        #expect(fixture.takeNotes().isEmpty)
    }

    @Test func `one that refuses, or is not there, changes nothing`() async throws {
        var operation = try fixture.operation("laptop")
        operation.monitor = try MonitorAddress("http://127.0.0.1:\(peer.port)/refused")
        #expect(try await !operation.run(in: fixture.context).hasEntryErrors)
        #expect(fixture.takeNotes().count == 2)
        operation.monitor = try MonitorAddress("http://127.0.0.1:1/none")
        #expect(try await !operation.run(in: fixture.context).hasEntryErrors)
        #expect(fixture.takeNotes().allSatisfy { $0.contains("could not be told") })
    }
}

/// A server that writes down which paths were asked for.
private final class MonitorPeer: Sendable {
    let port: Int
    private let log: FilePath
    private let process: Process

    private static let script = """
        import http.server, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                with open(sys.argv[1], "a") as log:
                    log.write(self.path + "\\n")
                self.send_response(403 if self.path.startswith("/refused") else 200)
                self.send_header("Content-Length", "0")
                self.end_headers()
            def log_message(self, *words):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    init(_ folder: TemporaryFolder) throws {
        log = folder.appending("monitor-log")
        process = Process()
        process.executableURL = URL(filePath: try #require(OtherProgram("python3")).path)
        process.arguments = ["-c", Self.script, log.string]
        let output = Pipe.uninherited()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.start()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    deinit { process.terminate() }

    func heard() throws -> [String] {
        guard try FileSystem().exists(log) else { return [] }
        return String(decoding: try FileSystem().contents(of: log, limit: 1 << 20), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }
}
