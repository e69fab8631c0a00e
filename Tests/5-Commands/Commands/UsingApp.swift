import Foundation
import SystemPackage
import TestPeers
import Testing

/// A program that uses an account while the built one reads it (Support/app.py).
final class UsingApp {
    enum Activity: String {
        case idle, busy, spilled, writing, dying
    }

    enum Journal: String, CaseIterable {
        case delete, wal
    }

    private let process = Process()
    private let (input, output) = (Pipe.uninherited(), Pipe.uninherited())

    private static let script = Repository.beside("Support/app.py").path

    /// Whether Python and SQLCipher's library are there.
    static let isThere: Bool = {
        guard let python = Program.tool("python3") else { return false }
        return (try? Program.run(python, [script, "probe"]).status) == 0
    }()

    /// Waits until it is so far.
    init(_ activity: Activity, _ journal: Journal, _ account: FilePath) throws {
        process.executableURL = URL(filePath: try #require(Program.tool("python3")))
        process.arguments = [
            Self.script, activity.rawValue, journal.rawValue, account.string, AccountState.passphrase,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.start()
        let answer = output.fileHandleForReading.availableData
        #expect(String(decoding: answer, as: UTF8.self) == "ready\n", "\(activity), \(journal)")
        if activity == .dying { process.waitUntilExit() }
    }

    var number: Int32 { process.processIdentifier }

    /// Lets it go on to its end.
    /// - Returns: whether it found both databases in order.
    func end() throws -> Bool {
        try input.fileHandleForWriting.close()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: answer, as: UTF8.self) == "ok\n"
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
}
