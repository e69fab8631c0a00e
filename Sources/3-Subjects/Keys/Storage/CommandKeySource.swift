import SystemPackage
import ValiseFailures
import ValiseFiles
package import ValiseSecrets

/// What a shell command prints, read from its pipe without a copy elsewhere.
package struct CommandKeySource: KeySource {
    private let command: String
    private let what: String
    private let checkpoint: () throws -> Void

    /// - Parameters:
    ///   - command: run by `/bin/sh`, with the standard input and errors of this process.
    ///   - what: what failures call the secret.
    ///   - checkpoint: called several times in a second while the command keeps us waiting.
    package init(
        _ command: String, what: String = "passphrase", checkpoint: @escaping () throws -> Void = {}
    ) {
        self.command = command
        self.what = what
        self.checkpoint = checkpoint
    }

    package func read() throws -> SecretBytes {
        let (reading, writing) = try attempt("cannot create a pipe for") { () throws(Errno) in
            try ChildProcess.pipe()
        }
        defer { try? reading.close() }
        let process = try attempt("cannot start") { () throws(Errno) in
            try ChildProcess(
                "/bin/sh", ["-c", command], streams: (.inherited, .descriptor(writing), .inherited))
        }
        try writing.close()
        let source = DescriptorKeySource(
            reading, name: "the \(what) command", what: what, checkpoint: checkpoint)
        let secret = try source.read()
        guard process.wait() == 0 else {
            throw KeyStorageError(
                .source, .failed, "the \(what) command failed", remedy: .runByHand)
        }
        return secret
    }

    private func attempt<Result>(
        _ problem: String, _ body: () throws(Errno) -> Result
    ) throws(KeyStorageError) -> Result {
        do {
            return try body()
        } catch {
            throw KeyStorageError(
                .source, .failed, "\(problem) the \(what) command: \(FileError.reason(error))")
        }
    }
}
