import Foundation
import Testing

/// The `sqlcipher` shell.
enum Shell {
    static var path: String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/sqlcipher" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The pragma that sets the same for databases that are opened later.
    static func asDefault(_ pragma: String) -> String {
        pragma.hasPrefix("cipher_") ? "cipher_default_" + pragma.dropFirst(7) : "cipher_default_" + pragma
    }

    static func run(_ shell: String, _ file: String, _ statements: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: shell)
        process.arguments = ["-batch", "-bail", file]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        input.fileHandleForWriting.write(Data((statements.joined(separator: ";\n") + ";\n").utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
    }
}
