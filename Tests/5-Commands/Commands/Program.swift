import Foundation
import SystemPackage
import TestPeers

/// The built program, run as a user would run it.
struct Program {
    struct Outcome {
        let status: Int32
        let signal: Int32?
        let output: String
        let errors: String
    }

    static var valise: String { Repository.program("valise").path }
    static var sample: String { Repository.program("valise-sample").path }
    static var relay: String { Repository.program("valise-relay").path }

    /// Without the way to the keyring of the user who runs the tests.
    private static let inherited = ProcessInfo.processInfo.environment.filter {
        ![
            "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME",
            "XDG_CONFIG_HOME",
            "DISPLAY", "WAYLAND_DISPLAY", "VALISE_ACCOUNT",
        ].contains($0.key)
    }

    /// Without jobs, where no home of its own is given: they would be those of the user who runs the tests.
    static func environment(_ own: [String: String]) -> [String: String] {
        let hasHome = own["HOME"] != nil || own["XDG_STATE_HOME"] != nil
        return inherited.merging(hasHome ? [:] : ["VALISE_NO_JOBS": "1"]) { $1 }.merging(own) { $1 }
    }

    /// Runs a program to its end and collects what it prints.
    ///
    /// - Parameters:
    ///   - input: what it reads; fits into a pipe's buffer.
    ///   - interruptAfterLines: so many lines of errors, and three seconds in which there could be more, come first.
    static func run(
        _ path: String, _ arguments: [String], environment: [String: String] = [:],
        input: String? = nil, killAfter: Duration? = nil, interruptAfterLines: Int? = nil
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = self.environment(environment)
        let (output, errors) = (Pipe.uninherited(), Pipe.uninherited())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = try input.map(pipe) ?? FileHandle.nullDevice
        try process.start()
        let watch = process.endingIfStuck()
        defer { watch.cancel() }
        var errorText = Data()
        if let interruptAfterLines {
            while errorText.count(where: { $0 == UInt8(ascii: "\n") }) < interruptAfterLines {
                let more = errors.fileHandleForReading.availableData
                if more.isEmpty { break }
                errorText += more
            }
            Thread.sleep(forTimeInterval: 3)
            process.interrupt()
        }
        if let killAfter {
            Thread.sleep(forTimeInterval: killAfter / .seconds(1))
            kill(process.processIdentifier, SIGKILL)
        }
        // Errors are few and fit into the pipe's buffer; the output may not.
        let text = output.fileHandleForReading.readDataToEndOfFile()
        errorText += errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let wasKilled = process.terminationReason == .uncaughtSignal
        // Other programs have documents of their own.
        if !wasKilled, ![tool("restic"), tool("curl")].contains(path) { try keep(text, of: arguments) }
        return Outcome(
            status: wasKilled ? -1 : process.terminationStatus,
            signal: wasKilled ? process.terminationStatus : nil,
            output: String(decoding: text, as: UTF8.self), errors: String(decoding: errorText, as: UTF8.self))
    }

    /// For `check-schemas.py`, which validates every document that any test made a program print.
    private static func keep(_ output: Data, of arguments: [String]) throws {
        guard let documents, arguments.contains("--json") else { return }
        let command = arguments.joined(separator: " ").replacing("\n", with: " ")
        let path = documents.appending(path: UUID().uuidString)
        try (Data((command + "\n").utf8) + output).write(to: path)
    }

    private static let documents = ProcessInfo.processInfo.environment["VALISE_DOCUMENTS"]
        .map { URL(filePath: $0) }

    private static func pipe(_ text: String) throws -> Any {
        let pipe = Pipe.uninherited()
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        return pipe
    }

    static func valise(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
        try run(valise, arguments, environment: environment)
    }

    /// Runs a program on a terminal of its own that types answers to what ends like a question.
    static func atTerminal(
        _ arguments: [String], answers: [String] = [], environment: [String: String],
        of program: String = valise
    ) throws -> Outcome {
        let script = Repository.beside("Support/at-terminal.py").path
        return try run(
            tool("python3") ?? "/usr/bin/python3", [script] + answers + ["--", program] + arguments,
            environment: environment)
    }

    /// A tool of the system, or nil where it is not installed.
    static func tool(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
