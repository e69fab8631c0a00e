import Foundation
import SystemPackage
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
    ///   - body: gets the number of the process.
    static func run(
        _ arguments: [String], environment: [String: String], isBusy: () throws -> Bool,
        body: (Int32) throws -> Void
    ) throws -> Program.Outcome {
        let process = Process()
        process.executableURL = URL(filePath: Program.valise)
        process.arguments = arguments
        process.environment = Program.environment(environment)
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var wasMet = false
        while process.isRunning, !wasMet {
            wasMet = try isBusy()
            if !wasMet { usleep(300) }
        }
        kill(process.processIdentifier, SIGSTOP)
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
