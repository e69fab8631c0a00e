import Foundation
import Synchronization
import TestPeers
import Testing

/// relay.py, which runs all relays of the tests. It ends with this process, which holds its input.
final class RelayProgram: Sendable {
    static let python = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        .map { "\($0)/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    static let shared = RelayProgram()

    private struct State {
        var count = 0
        var text = ""
        var lines: [Int: [String]] = [:]
        /// How often a relay was asked to say that it has said everything, and how often it did.
        var asked: [Int: Int] = [:]
        var synchronized: [Int: Int] = [:]
    }

    private let input = Pipe.uninherited()
    private let state = Mutex(State())

    private init() {
        let process = Process()
        let output = Pipe.uninherited()
        let script = Repository.beside("relay.py")
        process.executableURL = URL(filePath: Self.python ?? "/usr/bin/python3")
        process.arguments = [script.path]
        process.standardInput = input
        process.standardOutput = output
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            self.receive(data)
        }
        do { try process.start() } catch { Issue.record(error) }
    }

    private func receive(_ data: Data) {
        state.withLock { state in
            state.text += String(decoding: data, as: UTF8.self)
            while let end = state.text.firstIndex(of: "\n") {
                let words = state.text[..<end].split(separator: " ", maxSplits: 1)
                state.text = String(state.text[state.text.index(after: end)...])
                guard words.count == 2, let number = Int(words[0]) else { continue }
                if words[1] == "synchronized" {
                    state.synchronized[number, default: 0] += 1
                } else {
                    state.lines[number, default: []].append(String(words[1]))
                }
            }
        }
    }

    /// Starts a relay with these faults.
    func start(_ settings: [String: any Sendable]) async throws -> (number: Int, port: UInt16) {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        var settings = settings
        settings["id"] = number
        try send(settings)
        try await logged(number, "listening", times: 1)
        let port = lines(of: number).first?.split(separator: " ").last
        return (number, try #require(port.flatMap { UInt16($0) }, "relay.py did not start"))
    }

    func stop(_ number: Int) { try? send(["stop": number]) }

    private func send(_ settings: [String: any Sendable]) throws {
        let json = try JSONSerialization.data(withJSONObject: settings)
        try state.withLock { _ in try input.fileHandleForWriting.write(contentsOf: json + Data("\n".utf8)) }
    }

    /// What it has printed until now, first where it listens. It prints what it does before it does it, so nothing is
    /// missing of what its clients have seen.
    func log(of number: Int) -> [String] {
        let turn = state.withLock { state in
            state.asked[number, default: 0] += 1
            return state.asked[number] ?? 0
        }
        do { try send(["sync": number]) } catch { Issue.record(error) }
        for _ in 0..<60_000 {
            if state.withLock({ $0.synchronized[number] ?? 0 }) >= turn { break }
            Thread.sleep(forTimeInterval: 0.001)
        }
        return lines(of: number)
    }

    private func lines(of number: Int) -> [String] { state.withLock { $0.lines[number] ?? [] } }

    func logged(_ number: Int, _ prefix: String, times: Int) async throws {
        for _ in 0..<6000 {
            if lines(of: number).count(where: { $0.hasPrefix(prefix) }) >= times { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("the relay never said “\(prefix)” \(times) times, but \(log(of: number).suffix(20))")
    }
}
