import CValisePlatform
import SystemPackage
import ValiseFailures
import ValiseFiles
package import ValiseSecrets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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
        let (reading, writing) = try Self.pipe()
        defer { try? reading.close() }
        let process = try start(writing)
        try writing.close()
        let source = DescriptorKeySource(reading, name: "the passphrase command", checkpoint: checkpoint)
        let secret = try source.read()
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw KeyStorageError(
                .source, .failed, "the passphrase command failed", remedy: .runByHand)
        }
        return secret
    }

    /// Another command that a thread starts beside this one must not have the writing end, or the reader never sees the end.
    private static func pipe() throws(KeyStorageError) -> (reading: FileDescriptor, writing: FileDescriptor) {
        var ends: [Int32] = [-1, -1]
        guard unsafe valise_pipe(&ends) == 0 else {
            throw Self.failure("cannot create a pipe for the passphrase command", errno)
        }
        return (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    }

    private func start(_ output: FileDescriptor) throws(KeyStorageError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // The copy is the one descriptor of ours that the command gets: all others are closed when it begins. Those that the
        // caller of this program left open for it stay.
        unsafe posix_spawn_file_actions_adddup2(&actions, output.rawValue, 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [
            strdup("sh"), strdup("-c"), strdup(command), nil,
        ]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let result = unsafe posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ)
        guard result == 0 else {
            throw Self.failure("cannot start the passphrase command", result)
        }
        return process
    }

    private static func failure(_ what: String, _ number: Int32) -> KeyStorageError {
        KeyStorageError(.source, .failed, "\(what): \(FileError.reason(Errno(rawValue: number)))")
    }
}
