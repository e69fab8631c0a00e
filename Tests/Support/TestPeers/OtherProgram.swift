import Foundation

/// A program of the system that makes or judges what is read or written here.
///
/// With `VALISE_UNIT` in the environment (`make test-unit`) there are none: that run is without processes.
package struct OtherProgram: Sendable {
    package struct Outcome: Sendable {
        package let status: Int32
        package let output: [UInt8]
        package let errors: [UInt8]

        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Whether tests may start processes.
    package static let areAllowed = ProcessInfo.processInfo.environment["VALISE_UNIT"] == nil

    package let path: String

    /// Nil where it is not installed, and in a run without processes.
    package init?(_ name: String) {
        guard Self.areAllowed else { return nil }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        let paths = folders.map { "\($0)/\(name)" }
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            return nil
        }
        self.path = path
    }

    package static func isThere(_ names: String...) -> Bool { names.allSatisfy { OtherProgram($0) != nil } }

    /// A Python that has a module: the first in the PATH, or the system's. Nil where neither has it.
    package static func python(with module: String) -> OtherProgram? {
        [OtherProgram("python3"), areAllowed ? OtherProgram(path: "/usr/bin/python3") : nil]
            .compactMap(\.self)
            .first { (try? $0.run(["-c", "import \(module)"]))?.status == 0 }
    }

    /// A program that the set-up put into the cache, such as `store-peers/bin/python`. Nil where it is missing, and in a run
    /// without processes.
    package static func cached(_ place: String) -> OtherProgram? {
        let environment = ProcessInfo.processInfo.environment
        let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "") + "/.cache"
        let path = "\(cache)/valise/\(place)"
        guard areAllowed, FileManager.default.isExecutableFile(atPath: path) else { return nil }
        return OtherProgram(path: path)
    }

    private init(path: String) { self.path = path }

    /// Runs it to its end and gives its exit status and all that it said.
    /// - Parameter folder: where it runs.
    @discardableResult
    package func run(_ arguments: [String], in folder: String? = nil, input: String? = nil) throws -> (
        status: Int32, output: String
    ) {
        let outcome = try outcome(of: arguments, in: folder, input: input)
        return (outcome.status, outcome.text + String(decoding: outcome.errors, as: UTF8.self))
    }

    /// Runs it to its end.
    /// - Parameters:
    ///   - folder: where it runs.
    ///   - input: what it reads; fits into a pipe's buffer.
    package func outcome(
        of arguments: [String], in folder: String? = nil, input: String? = nil
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
        if let folder { process.currentDirectoryURL = URL(filePath: folder) }
        let (output, reading) = (Pipe.uninherited(), Pipe.uninherited())
        // A file takes complaints of any length while the output is read.
        let complaints = FileManager.default.temporaryDirectory.appending(path: "valise-\(UUID().uuidString)")
        try Data().write(to: complaints)
        defer { try? FileManager.default.removeItem(at: complaints) }
        let errors = try FileHandle(forUpdating: complaints)
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = input == nil ? FileHandle.nullDevice : reading
        try process.start()
        let watch = process.endingIfStuck()
        defer { watch.cancel() }
        if let input {
            try reading.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try reading.fileHandleForWriting.close()
        }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try errors.close()
        return Outcome(
            status: process.terminationStatus, output: [UInt8](text),
            errors: [UInt8](try Data(contentsOf: complaints)))
    }
}
