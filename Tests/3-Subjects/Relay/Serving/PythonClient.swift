import Foundation
import Synchronization
import TestPeers
import Testing
import ValiseEncoding
import ValiseRelay
import ValiseXFTPWire

/// The client that is not ours: Python with its ssl, `h2` and `cryptography`.
enum PythonClient {
    private static let interpreter: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let candidates = folders.map { "\($0)/python3" } + ["/usr/bin/python3"]
        return candidates.first { path in
            FileManager.default.isExecutableFile(atPath: path)
                && (try? start(path, ["-c", "import h2, cryptography"]).end().status) == 0
        }
    }()

    /// Whether there is a Python with what the client needs. `Scripts/setup.sh --with-test-tools` installs it.
    static var isThere: Bool { interpreter != nil }

    /// Plays a scenario of `scenarios.py` and expects that it finds nothing wrong.
    /// - Returns: what it printed.
    @discardableResult
    static func play(
        _ scenario: String, _ arguments: String..., with relay: RunningRelay,
        location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let run = try begin(scenario, arguments, with: relay)
        let (status, output) = await run.wait()
        #expect(status == 0, "\(output.suffix(2000))", sourceLocation: location)
        return output
    }

    static func begin(_ scenario: String, _ arguments: [String] = [], with relay: RunningRelay) throws -> Run
    {
        let script = Repository.beside("Support/scenarios.py").path
        let fingerprint = Hexadecimal.encode(relay.server.address.fingerprint)
        return try start(
            interpreter ?? "python3", [script, scenario, "\(relay.server.port)", fingerprint] + arguments)
    }

    private static func start(_ interpreter: String, _ arguments: [String]) throws -> Run {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: interpreter)
        process.arguments = ["-B"] + arguments
        let (output, input) = (Pipe.uninherited(), Pipe.uninherited())
        process.standardOutput = output
        process.standardError = output
        process.standardInput = input
        try process.start()
        return Run(process: process, output: output.fileHandleForReading, input: input.fileHandleForWriting)
    }

    /// A client that runs.
    final class Run: @unchecked Sendable {
        private let process: Process
        private let output: FileHandle
        private let input: FileHandle

        init(process: Process, output: FileHandle, input: FileHandle) {
            self.process = process
            self.output = output
            self.input = input
        }

        /// The line that it prints next.
        func readLine() async -> String {
            await onThread {
                var line: [UInt8] = []
                while let byte = try? self.output.read(upToCount: 1)?.first, byte != 10 { line.append(byte) }
                return String(decoding: line, as: UTF8.self)
            }
        }

        func answer(_ line: String) throws { try input.write(contentsOf: Data("\(line)\n".utf8)) }

        /// Everything else that it prints, and how it ends.
        func wait() async -> (status: Int32, output: String) { await onThread { self.end() } }

        func end() -> (status: Int32, output: String) {
            try? input.close()
            let rest = output.readDataToEndOfFile()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: rest, as: UTF8.self))
        }

        private func onThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: work()) }
            }
        }
    }
}
