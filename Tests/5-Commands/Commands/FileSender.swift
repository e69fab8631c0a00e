import Foundation
import TestPeers

/// `valise file send --serve`: a sender that serves what it sent.
final class FileSender {
    private let process = Process()
    private let errors = Pipe.uninherited()
    let links: [String]

    /// Starts it, and waits for its links: one, or as many as there are recipients.
    ///
    /// - Parameter limits: what a shell is told before, such as `ulimit -n 200`.
    init(
        _ arguments: [String], serve: String = "127.0.0.1", home: [String: String], limits: String = ":"
    ) throws {
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments =
            ["-c", "\(limits) && exec \"$0\" \"$@\"", Program.valise]
            + ["file", "send", "--serve", serve] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(home) { $1 }
        let output = Pipe.uninherited()
        process.standardOutput = output
        process.standardError = errors
        try process.start()
        let recipients = arguments.firstIndex(of: "--recipients").flatMap { Int(arguments[$0 + 1]) } ?? 1
        var text = Data()
        while text.count(where: { $0 == UInt8(ascii: "\n") }) < recipients {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += more
        }
        links = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The status, once it has ended by itself, and what it said.
    func end() -> (status: Int32, errors: String) {
        for _ in 0..<300 where process.isRunning { Thread.sleep(forTimeInterval: 0.1) }
        if process.isRunning { process.terminate() }
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    var processID: Int32 { process.processIdentifier }

    func interrupt() { process.interrupt() }

    deinit { if process.isRunning { process.terminate() } }
}

/// The SOCKS5 proxy of relay.py, which brings everybody to one port of this machine.
final class SOCKSProgram {
    private let process = Process()
    private let input = Pipe.uninherited()
    private let output = Pipe.uninherited()
    private var text = ""
    private(set) var port = 0

    init(to port: Int) throws {
        process.executableURL = URL(filePath: Program.tool("python3") ?? "/usr/bin/python3")
        process.arguments = [
            Repository.url("Tests/3-Subjects/XFTPClient/Support/relay.py").path
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.start()
        try input.fileHandleForWriting.write(contentsOf: Data(#"{"id":1,"socks":\#(port)}"#.utf8 + [10]))
        self.port = nextLine().split(separator: " ").last.flatMap { Int($0) } ?? 0
    }

    /// The next line that it prints.
    func nextLine() -> String {
        while true {
            if let end = text.firstIndex(of: "\n") {
                defer { text = String(text[text.index(after: end)...]) }
                return String(text[..<end])
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return "" }
            text += String(decoding: more, as: UTF8.self)
        }
    }

    deinit { process.terminate() }
}
