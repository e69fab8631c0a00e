import Foundation
import Synchronization

/// A server of PostgreSQL in processes of its own (Scripts/servers/postgres.py), gone with the object.
package final class PostgresServer: Sendable {
    /// What happens to it while it is used.
    package enum Event: String, Sendable {
        /// As when a machine shuts down.
        case stop
        /// All processes end at once.
        case crash
        case start
        /// Nobody answers any more.
        case freeze
        case thaw
    }

    package struct Failed: Error {}

    private static var script: String { Repository.url("Scripts/servers/postgres.py").path }

    /// Whether one can run here: why tests are skipped where it cannot.
    package static let isAvailable = {
        let outcome = try? OtherProgram("python3")?.run([script, "--available"])
        return outcome?.status == 0
    }()

    /// One that many tests use, each with a schema of its own. Nobody stops it.
    package static func shared() throws -> PostgresServer { try common.get() }

    private static let common = Result { try PostgresServer(["--setting", "max_connections=200"]) }

    private struct Running {
        let process: Process
        let input: Pipe
        let output: Pipe
        var buffer = Data()

        /// The next answer; nil where it has ended.
        mutating func line() -> [String: String]? {
            while !buffer.contains(UInt8(ascii: "\n")) {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { return nil }
                buffer += more
            }
            let line = buffer.prefix { $0 != UInt8(ascii: "\n") }
            buffer = Data(buffer.dropFirst(line.count + 1))
            let object = (try? JSONSerialization.jsonObject(with: line)) as? [String: Any]
            return object?.compactMapValues { $0 as? String }
        }
    }

    private let running: Mutex<Running>
    private let fields: [String: String]

    /// - Parameter options: of the script, such as `--tcp`.
    package init(_ options: [String] = []) throws {
        guard let python = OtherProgram("python3") else { throw Failed() }
        let process = Process()
        let (input, output) = (Pipe.uninherited(), Pipe.uninherited())
        process.executableURL = URL(filePath: python.path)
        process.arguments = [Self.script] + options
        // It ends with its input, so it ends with this process whatever happens.
        process.standardInput = input
        process.standardOutput = output
        try process.start()
        var running = Running(process: process, input: input, output: output)
        let watch = process.endingIfStuck()
        defer { watch.cancel() }
        fields = running.line() ?? [:]
        self.running = Mutex(running)
        guard fields["address"] != nil else { throw Failed() }
    }

    deinit { end() }

    /// Ends it. Call it last in a test: until then it lives.
    package func end() {
        running.withLock { running in
            try? running.input.fileHandleForWriting.close()
            running.process.waitUntilExit()
        }
    }

    /// Lets something happen to it, and waits until it has.
    package func perform(_ event: Event) throws {
        try running.withLock { running in
            try running.input.fileHandleForWriting.write(contentsOf: Data("\(event.rawValue)\n".utf8))
            guard running.line()?["done"] == event.rawValue else { throw Failed() }
        }
    }

    /// A connection string for its socket.
    package var address: String { fields["address"] ?? "" }
    /// A connection string for the loopback, with `--tcp`.
    package var loopback: String { fields["loopback"] ?? "" }
    /// Where its certificate is, with `--tls`.
    package var authorities: String { fields["authorities"] ?? "" }
    /// Its folder.
    package var folder: String { fields["folder"] ?? "" }
}
