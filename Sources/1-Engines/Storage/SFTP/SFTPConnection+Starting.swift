import SystemPackage
import ValiseFailures
import ValiseFiles

extension SFTPConnection {
    /// A program, and our ends of the pipes to its standard input, output and error.
    struct Started {
        let child: ChildProcess
        let input: FileDescriptor
        let output: FileDescriptor
        let errors: FileDescriptor
    }

    /// - Throws: ``StorageError`` where it cannot be started.
    static func start(_ command: SFTPCommand) throws -> Started {
        var open: [FileDescriptor] = []
        do throws(Errno) {
            // Input, output, errors.
            var pipes: [(reading: FileDescriptor, writing: FileDescriptor)] = []
            for _ in 0..<3 {
                let pipe = try ChildProcess.pipe()
                open += [pipe.reading, pipe.writing]
                pipes.append(pipe)
            }
            try pipes[0].writing.makeNonblocking()
            let theirs = [pipes[0].reading, pipes[1].writing, pipes[2].writing]
            let child = try ChildProcess(
                command.program, command.arguments,
                streams: (.descriptor(theirs[0]), .descriptor(theirs[1]), .descriptor(theirs[2])),
                blocksInterrupts: true)
            for descriptor in theirs { try? descriptor.close() }
            return Started(
                child: child, input: pipes[0].writing, output: pipes[1].reading, errors: pipes[2].reading)
        } catch {
            for descriptor in open { try? descriptor.close() }
            throw StorageError(
                .general, error == .noSuchFileOrDirectory ? .notFound : .failed,
                "cannot start the program that connects to the server: \(FileError.reason(error))",
                command.program)
        }
    }
}
