import FaultInjection
import Files
import Foundation
import SystemPackage

/// A relay of the built program that runs as long as this lives.
final class TestRelay {
    private let process = Process()
    private let folder: FilePath
    let address: String

    /// - Parameter password: that senders need; nobody can use the ``address`` alone then.
    init(_ folder: FilePath, password: String? = nil) throws {
        self.folder = folder
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
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let line = try JSONSerialization.jsonObject(with: output.fileHandleForReading.availableData)
        guard let address = (line as? [String: Any])?["address"] as? String else { throw Failed(errors: "") }
        self.address = address
    }

    struct Failed: Error { let errors: String }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// How many chunks it knows.
    func chunkCount() throws -> Int? {
        let outcome = try Program.run(Program.relay, ["status", "--folder", folder.string, "--json"])
        let status = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        return (status?["usage"] as? [String: Any])?["chunks"] as? Int
    }

    /// How many chunks it has the content of. One whose sender was killed when it had just been registered is a chunk
    /// without content, which nobody knows the name of, until it expires.
    func contentCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending("files").string).count
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
