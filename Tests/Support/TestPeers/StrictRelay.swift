import FaultInjection
import Foundation
import Synchronization
import SystemPackage

/// A relay as strict as the official one (strict-relay.py), in a process of its own. Gone with the object.
package final class StrictRelay: Sendable {
    /// Whether it can run here.
    package static let isAvailable = python != nil

    /// The first interpreter that has what the script imports.
    private static let python: String? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        let places = path.split(separator: ":").map { "\($0)/python3" } + ["/usr/bin/python3"]
        return places.first { place in
            guard FileManager.default.isExecutableFile(atPath: place) else { return false }
            let process = Process()
            process.executableURL = URL(filePath: place)
            process.arguments = ["-c", "import cryptography"]
            process.standardError = FileHandle.nullDevice
            guard (try? process.start()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
    }()

    /// What it said.
    package struct Event: Sendable {
        package let name: String
        /// All of it, as JSON.
        package let line: String
        private let numbers: [String: Double]

        init?(_ line: String) {
            guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let name = object["event"] as? String
            else { return nil }
            (self.name, self.line) = (name, line)
            numbers = object.compactMapValues { ($0 as? NSNumber)?.doubleValue }
        }

        package subscript(key: String) -> Double? { numbers[key] }
    }

    private struct State {
        var process: Process?
        var input: Pipe?
        var marks = 0
        var text = ""
        var address: String?
        var events: [Event] = []
    }

    private let folder: Folder
    private let options: [String]
    private let state = Mutex(State())

    private struct Folder: @unchecked Sendable {
        let owner: TemporaryFolder
    }

    package struct Failed: Error {}

    /// - Parameters:
    ///   - password: that senders need.
    ///   - quota: in bytes.
    ///   - diskRate: how fast each upload is written, in bytes a second.
    ///   - handlers: how many requests of a connection are handled at a time; the official relay has three.
    package init(password: String? = nil, quota: Int64? = nil, diskRate: Int? = nil, handlers: Int = 3) throws
    {
        folder = Folder(owner: try TemporaryFolder("valise-strict-relay", inMemory: true))
        var options = ["--handlers", "\(handlers)"]
        if let password { options += ["--password", password] }
        if let quota { options += ["--quota", "\(quota)"] }
        if let diskRate { options += ["--disk-rate", "\(diskRate)"] }
        self.options = options
        try start(port: 0)
    }

    deinit { stop() }

    /// `xftp://FINGERPRINT@127.0.0.1:PORT`, the same after a restart.
    package var address: String { state.withLock { $0.address ?? "" } }

    /// All that it said up to this moment; what a client has its answer for is among it.
    package func events() async throws -> [Event] {
        let mark = state.withLock { state -> Int? in
            guard let input = state.input, state.process?.isRunning == true else { return nil }
            state.marks += 1
            try? input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
            return state.marks
        }
        if let mark { _ = try await said("mark", times: mark) }
        return state.withLock { $0.events.filter { $0.name != "mark" } }
    }

    package func count(_ name: String) async throws -> Int {
        try await events().count { $0.name == name }
    }

    /// How many chunks it has the content of.
    package func contentCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder.owner.appending("files").string)
            .count { !$0.contains(".") }
    }

    /// How many chunks it knows, with content or without.
    package func chunkCount() throws -> Int {
        let log = try String(contentsOfFile: folder.owner.appending("log").string, encoding: .utf8)
        let lines = log.split(separator: "\n")
        return lines.count { $0.hasPrefix("[\"new\"") } - lines.count { $0.hasPrefix("[\"delete\"") }
    }

    /// Ends its process at once, as a crash would.
    package func stop() {
        let process = state.withLock { state in
            defer { (state.process, state.input) = (nil, nil) }
            return state.process
        }
        guard let process, process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Starts again with what it had.
    package func restart() throws {
        stop()
        try start(port: Int(address.split(separator: ":").last ?? "") ?? 0)
    }

    private func start(port: Int) throws {
        let process = Process()
        let (input, output) = (Pipe.uninherited(), Pipe.uninherited())
        let script = Repository.beside("strict-relay.py")
        process.executableURL = URL(filePath: Self.python ?? "/usr/bin/python3")
        process.arguments =
            [script.path, folder.owner.appending("").string, "--port", "\(port)"] + options
        // It ends with its input, so it ends with this process whatever happens.
        process.standardInput = input
        process.standardOutput = output
        output.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            self?.receive(data)
        }
        state.withLock { state in
            (state.process, state.input, state.text) = (process, input, "")
            state.marks = state.events.count { $0.name == "mark" }
        }
        let listens = address
        if !listens.isEmpty { state.withLock { $0.address = nil } }
        try process.start()
        for _ in 0..<3000 where address.isEmpty && process.isRunning { Thread.sleep(forTimeInterval: 0.01) }
        if address.isEmpty {
            state.withLock { $0.address = listens.isEmpty ? nil : listens }
            throw Failed()
        }
    }

    private func receive(_ data: Data) {
        state.withLock { state in
            state.text += String(decoding: data, as: UTF8.self)
            while let end = state.text.firstIndex(of: "\n") {
                let line = String(state.text[..<end])
                state.text = String(state.text[state.text.index(after: end)...])
                if let event = Event(line) {
                    state.events.append(event)
                } else if let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
                    as? [String: Any]
                {
                    state.address = object["address"] as? String
                }
            }
        }
    }

    /// Waits some seconds until it has said this so often.
    /// - Returns: whether it did.
    package func said(_ name: String, times: Int = 1) async throws -> Bool {
        for _ in 0..<1500 {
            if state.withLock({ $0.events.count { $0.name == name } }) >= times { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}
