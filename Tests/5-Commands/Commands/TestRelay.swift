import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import ValiseFiles

/// A relay of the built program that runs as long as this lives; with `VALISE_PEER=strict` in the environment, one that is as
/// strict as the official one, which `Scripts/test.sh` runs the same tests against.
final class TestRelay {
    private let process = Process()
    private let folder: FilePath
    private let strict: StrictRelay?
    let address: String

    static let isStrict = ProcessInfo.processInfo.environment["VALISE_PEER"] == "strict"

    /// - Parameter password: that senders need; nobody can use the ``address`` alone then.
    init(_ folder: FilePath, password: String? = nil) throws {
        self.folder = folder
        strict = Self.isStrict ? try StrictRelay(password: password, quota: 100 << 20) : nil
        if let strict {
            address = strict.address
            return
        }
        var arguments = [
            "init", "--folder", folder.string, "--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0",
            "--quota", "100mb", "--sign-algorithm", "ed25519",
        ]
        if let password {
            let file = folder.appendingSuffix("-password")
            try FileSystem().replace(file, with: Array("\(password)\n".utf8))
            arguments += ["--password-file", file.string]
        }
        let made = try Program.run(Program.relay, arguments)
        guard made.status == 0 else { throw Failed(errors: made.errors) }
        process.executableURL = URL(filePath: Program.relay)
        process.arguments = ["start", "--folder", folder.string, "--json", "--log-level", "error"]
        let output = Pipe.uninherited()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.start()
        let line = try JSONSerialization.jsonObject(with: output.fileHandleForReading.availableData)
        guard let address = (line as? [String: Any])?["address"] as? String else { throw Failed(errors: "") }
        self.address = address
    }

    struct Failed: Error { let errors: String }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// How many chunks it knows.
    func chunkCount() throws -> Int? {
        if let strict { return try strict.chunkCount() }
        let outcome = try Program.run(Program.relay, ["status", "--folder", folder.string, "--json"])
        let status = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        return (status?["usage"] as? [String: Any])?["chunks"] as? Int
    }

    /// How many chunks it has the content of. One whose sender was killed when it had just been registered is a chunk
    /// without content, which nobody knows the name of, until it expires.
    func contentCount() throws -> Int {
        if let strict { return try strict.contentCount() }
        return try FileManager.default.contentsOfDirectory(atPath: folder.appending("files").string).count
    }

    func stop() {
        if let strict { return strict.stop() }
        process.terminate()
        process.waitUntilExit()
    }
}
