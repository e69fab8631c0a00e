import SystemPackage
import ValiseFailures
import ValiseFiles
package import ValiseSecrets

/// What a shell command prints, read from its pipe without a copy elsewhere.
package struct CommandKeySource: KeySource {
    private let command: String
    private let checkpoint: () throws -> Void

    /// - Parameters:
    ///   - command: run by `/bin/sh`, with the standard input and errors of this process.
    ///   - checkpoint: called several times in a second while the command keeps us waiting.
    package init(_ command: String, checkpoint: @escaping () throws -> Void = {}) {
        self.command = command
        self.checkpoint = checkpoint
    }

    package func read() throws -> SecretBytes {
        let (reading, writing) = try Self.attempt("cannot create a pipe for") { () throws(Errno) in
            try ChildProcess.pipe()
        }
        defer { try? reading.close() }
        let process = try Self.attempt("cannot start") { () throws(Errno) in
            try ChildProcess(
                "/bin/sh", ["-c", command], streams: (.inherited, .descriptor(writing), .inherited))
        }
        try writing.close()
        let source = DescriptorKeySource(reading, name: "the passphrase command", checkpoint: checkpoint)
        let secret = try source.read()
        guard process.wait() == 0 else {
            throw KeyStorageError(
                .source, .failed, "the passphrase command failed", remedy: .runByHand)
        }
        return secret
    }

    private static func attempt<Result>(
        _ what: String, _ body: () throws(Errno) -> Result
    ) throws(KeyStorageError) -> Result {
        do {
            return try body()
        } catch {
            throw KeyStorageError(
                .source, .failed, "\(what) the passphrase command: \(FileError.reason(error))")
        }
    }
}
