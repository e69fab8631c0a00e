import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// The built program, met in the middle of its work.
enum BusyProgram {
    /// How many journals of uploads a home has.
    static func uploads(in home: FilePath) throws -> Int {
        let folder = home.pushing(".local/state/valise/uploads")
        return try FileSystem().exists(folder) ? FileSystem().list(folder).count : 0
    }

    /// Starts it, stops it as soon as it is at work, does something, and waits for its end. Where `body` leaves it stopped,
    /// it goes on.
    ///
    /// - Parameters:
    ///   - isBusy: whether what it does can be seen.
    ///   - undo: for work that a busy machine lets end before it can be stopped: makes all as it was before, and it is started
    ///     anew. Without it what is met late is met.
    ///   - body: gets the number of the process.
    static func run(
        _ arguments: [String], environment: [String: String], isBusy: () throws -> Bool,
        undo: (() throws -> Void)? = nil, body: (Int32) throws -> Void
    ) throws -> Program.Outcome {
        for _ in 0..<20 {
            if let outcome = try runOnce(arguments, environment, isBusy, undo != nil, body) { return outcome }
            try undo?()
        }
        Issue.record("\(arguments.prefix(2)) was never met at work")
        throw CancellationError()
    }

    /// What came of it, or nothing where it was met too late, and is no more.
    private static func runOnce(
        _ arguments: [String], _ environment: [String: String], _ isBusy: () throws -> Bool,
        _ looksAgain: Bool,
        _ body: (Int32) throws -> Void
    ) throws -> Program.Outcome? {
        let process = Process()
        process.executableURL = URL(filePath: Program.valise)
        process.arguments = arguments
        process.environment = Program.environment(environment)
        let errors = Pipe.uninherited()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.start()
        var wasMet = false
        while process.isRunning, !wasMet {
            wasMet = try isBusy()
            if !wasMet { usleep(300) }
        }
        kill(process.processIdentifier, SIGSTOP)
        if looksAgain {
            // A signal takes its time to all threads.
            usleep(2000)
            let isStopped = try process.isRunning && isBusy()
            guard wasMet, isStopped else {
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                return nil
            }
        }
        #expect(wasMet, "\(arguments.prefix(2)) was never met at work")
        try body(process.processIdentifier)
        kill(process.processIdentifier, SIGCONT)
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Program.Outcome(
            status: process.terminationStatus, signal: nil, output: "",
            errors: String(decoding: text, as: UTF8.self))
    }
}
