import Foundation

/// Pages of all kinds for previews (pages.py), on a server of their own. Gone with the object.
package final class PageServer {
    private let process = Process()
    private let port: Int
    /// It goes when nobody holds the other end.
    private let input = Pipe.uninherited()

    package init() throws {
        let output = Pipe.uninherited()
        process.executableURL = URL(filePath: OtherProgram("python3")?.path ?? "/usr/bin/python3")
        process.arguments = [Repository.beside("pages.py").path]
        process.standardOutput = output
        process.standardInput = input
        try process.start()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Of a page by its name.
    package func address(_ page: String) -> String { "http://127.0.0.1:\(port)/\(page)" }
}
