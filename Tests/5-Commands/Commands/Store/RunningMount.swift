import Foundation
import SystemPackage
import TestPeers

/// `valise mount`, running beside the test.
final class RunningMount {
    let process = Process()
    private let output = Pipe.uninherited()
    private let errors = Pipe.uninherited()
    /// What it printed when files could be read.
    let document: [String: Any]

    /// What it said in place of that.
    struct Failed: Error {
        let status: Int32
        let text: String
    }

    /// - Parameter arguments: behind `mount`.
    init(_ arguments: [String], environment: [String: String]) throws {
        process.executableURL = URL(filePath: Program.valise)
        process.arguments = ["mount"] + arguments + ["--json"]
        process.environment = Program.environment(environment)
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.start()
        let line = output.fileHandleForReading.availableData
        guard let found = try? JSONSerialization.jsonObject(with: line) as? [String: Any] else {
            process.waitUntilExit()
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            throw Failed(status: process.terminationStatus, text: text)
        }
        document = found
    }

    /// Ends it as Control-C does.
    /// - Returns: its exit status.
    func interrupt() -> Int32 {
        process.interrupt()
        process.waitUntilExit()
        return process.terminationStatus
    }

    deinit {
        guard process.isRunning else { return }
        process.interrupt()
        process.waitUntilExit()
    }
}
