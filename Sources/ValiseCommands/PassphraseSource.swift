import Failures
import Secrets
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads passphrases straight into guarded memory.
enum PassphraseSource {
    /// The most bytes that a passphrase may have.
    static let longest = 64 << 10

    static func file(_ path: String) throws -> SecretBytes {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
        } catch {
            let code: FailureCode = (error as? Errno) == .noSuchFileOrDirectory ? .notFound : .denied
            throw CommandError(code, "the passphrase file cannot be read: \(error)", subject: path)
        }
        defer { try? descriptor.close() }
        return try read(descriptor, name: path)
    }

    static func descriptor(_ number: Int32) throws -> SecretBytes {
        try read(FileDescriptor(rawValue: number), name: "file descriptor \(number)")
    }

    /// What a command prints, read from its pipe without a copy elsewhere.
    static func command(_ command: String) throws -> SecretBytes {
        let (reading, writing) = try FileDescriptor.pipe()
        defer { try? reading.close() }
        let process = try spawnShell(command, output: writing)
        try writing.close()
        let secret = try read(reading, name: "the passphrase command")
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw CommandError(.failed, "the passphrase command failed; run it by hand to see why")
        }
        return secret
    }

    private static func spawnShell(_ command: String, output: FileDescriptor) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output.rawValue, 1)
        posix_spawn_file_actions_addclose(&actions, output.rawValue)
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(command), nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ)
        guard result == 0 else {
            throw CommandError(
                .failed, "the passphrase command cannot be started: \(Errno(rawValue: result))")
        }
        return process
    }

    private static func read(_ descriptor: FileDescriptor, name: String) throws -> SecretBytes {
        try SecretBytes(capacity: longest + 1) { memory in
            var count = 0
            while count < memory.count {
                let got: Int
                do {
                    got = try descriptor.readUnlessInterrupted(
                        into: UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
                } catch let interruption as Interruption {
                    throw interruption
                } catch {
                    throw CommandError(.failed, "the passphrase cannot be read: \(error)", subject: name)
                }
                if got == 0 { break }
                count += got
            }
            guard count <= longest else {
                throw CommandError(.invalid, "the passphrase is longer than \(longest) bytes", subject: name)
            }
            return withoutLineBreak(memory, count)
        }
    }

    /// Editors and `echo` end a line; that break is no part of the passphrase.
    static func withoutLineBreak(_ memory: UnsafeMutableRawBufferPointer, _ count: Int) -> Int {
        var count = count
        if count > 0, memory[count - 1] == UInt8(ascii: "\n") {
            count -= 1
            if count > 0, memory[count - 1] == UInt8(ascii: "\r") { count -= 1 }
        }
        return count
    }
}
