import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// A home with an account of its own, and a queue of jobs.
struct JobsWorld: JobsHome {
    let folder: TemporaryFolder
    /// In bytes: so much that an export can be met while it is at it.
    private static let mediaSize = 2_000_000
    private static let mediaCount = 30

    init() throws {
        folder = try TemporaryFolder("valise-jobs", inMemory: true)
        for (name, word) in [("key", AccountState.passphrase), ("other", AccountState.otherPassphrase)] {
            try FileSystem().replace(folder.appending(name), with: Array(word.utf8))
        }
        try PreparedAccount.empty(at: account)
        let media = folder.appending("account").appending("simplex_v1_files")
        try FileSystem().makeDirectories(media)
        for number in 0..<Self.mediaCount {
            let content = try Self.randomBytes(Self.mediaSize)
            try FileSystem().replace(media.appending("f\(number)"), with: content)
        }
    }

    /// All at once: the generator of the standard library asks the system for each number.
    static func randomBytes(_ count: Int) throws -> [UInt8] {
        let source = try FileHandle(forReadingFrom: URL(filePath: "/dev/urandom"))
        return Array(try #require(try source.read(upToCount: count)))
    }

    var account: String { folder.appending("account").string }
    var copy: String { folder.appending("copy").string }
    var archive: String { folder.appending("a.zip").string }
    var key: String { "--passphrase-file=\(folder.appending("key"))" }
    var otherKey: FilePath { folder.appending("other") }
    var queue: FilePath {
        folder.appending("state").appending("valise").appending("jobs").appending("queue.db")
    }

    var environment: [String: String] {
        ["HOME": folder.path.string, "XDG_STATE_HOME": folder.appending("state").string]
    }

    // MARK: Running

    /// Without a job, however often.
    func export() throws {
        let outcome = try Program.valise(
            "archive", "export", account, archive, "--force", "--quiet",
            environment: environment.merging(["VALISE_NO_JOBS": "1"]) { $1 })
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    // MARK: In the middle

    func killWhenBusy(_ arguments: String...) throws { try killWhenBusy(arguments) }

    func killWhenBusy(_ arguments: [String]) throws {
        _ = try whenBusy(arguments) { kill($0, SIGKILL) }
    }

    func signalWhenBusy(_ number: Int32, _ arguments: String...) throws -> Program.Outcome {
        try whenBusy(arguments) {
            kill($0, number)
            kill($0, SIGCONT)
        }
    }

    func whenBusy(_ arguments: String..., body: (Int32) throws -> Void) throws -> Program.Outcome {
        try whenBusy(arguments, body: body)
    }

    /// Meets the program when it has written its job and begun to write something else, well before its end.
    private func whenBusy(_ arguments: [String], body: (Int32) throws -> Void) throws -> Program.Outcome {
        let before = try traces()
        let kept = folder.appending("state.before")
        try setAside(state, as: kept)
        let isNew = try [archive, copy].filter { try !FileSystem().exists(FilePath($0)) }
        let outcome = try BusyProgram.run(
            arguments, environment: environment, isBusy: { try !traces().subtracting(before).isEmpty },
            undo: {
                try setAside(kept, as: state)
                for path in isNew + [archive + ".partial"] {
                    try? FileManager.default.removeItem(atPath: path)
                }
            }, body: body)
        try? FileManager.default.removeItem(atPath: kept.string)
        return outcome
    }

    private var state: FilePath { folder.appending("state") }

    /// A copy of a folder, or none of one that is not there.
    private func setAside(_ folder: FilePath, as copy: FilePath) throws {
        try? FileManager.default.removeItem(atPath: copy.string)
        guard try FileSystem().exists(folder) else { return }
        try FileManager.default.copyItem(atPath: folder.string, toPath: copy.string)
    }

    /// What an export or import writes before it is done: of an archive that has most of the media there is soon no more.
    private func traces() throws -> Set<String> {
        var found: Set<String> = []
        let partial = folder.appending("a.zip.partial")
        let nearlyAll = Int64(Self.mediaCount * Self.mediaSize * 3 / 4)
        if let size = try FileSystem().attributes(of: partial)?.size, size < nearlyAll {
            found.insert("partial")
        }
        let copy = folder.appending("copy")
        if try FileSystem().exists(copy) {
            found.formUnion(
                try FileSystem().list(copy).compactMap(\.name).filter { $0.hasPrefix(".valise-") })
        }
        return found
    }

    // MARK: Looking

    /// What the queue holds.
    func payloads() throws -> String {
        try sql("SELECT kind, title, unique_key, CAST(payload AS TEXT) FROM jobs")
    }

    /// What the shell of SQLCipher says to a statement about the queue.
    func sql(_ statement: String) throws -> String {
        let key = try FileSystem().contents(of: queue.removingLastComponent().appending("key"), limit: 100)
        let digits = key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let shell = try #require(Program.tool("sqlcipher"))
        let outcome = try Program.run(shell, [queue.string, "PRAGMA key = \"x'\(digits)'\"; \(statement);"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }
}

/// A command about jobs that runs beside others.
final class Watcher {
    private let process = Process()
    private let output = Pipe.uninherited()

    init(_ world: JobsWorld, _ arguments: [String], command: String = "watch") throws {
        process.executableURL = URL(filePath: Program.valise)
        process.arguments = ["jobs", command] + arguments
        process.environment = Program.environment(world.environment)
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.start()
    }

    var status: Int32 { process.terminationStatus }

    /// Waits until it has printed something.
    func waitForOutput() {
        var event = pollfd(
            fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&event, 1, 60_000) == 1, "it says nothing")
    }

    /// What it has printed, once it has ended.
    func end(interrupting: Bool = false) -> String {
        if interrupting { process.interrupt() }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    deinit { if process.isRunning { process.terminate() } }
}
