import ArgumentParser
import CValisePlatform
import Valise
import ValiseCryptoFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files and standard streams as they are named on the command line.
enum FileStreams {
    /// What stands for standard input or output.
    static let dash = "-"

    static func checkpoint() throws {
        if valise_interrupted() { throw Interruption() }
    }

    // MARK: Input

    /// What is read: a file, links followed; a pipe by its name; or standard input.
    static func input(_ name: String) throws -> CryptoFileInput {
        let path: FilePath = name == dash ? "standard input" : FilePath(name)
        let stream = try InputStream(path, opening: name != dash)
        if let source = try FileSource(restOf: stream.descriptor, path: path) {
            return try CryptoFileInput(file: source)
        }
        return CryptoFileInput(stream: path) { try stream.read($0) }
    }

    /// A descriptor, closed when nobody reads from it any more.
    private final class InputStream {
        let descriptor: FileDescriptor
        private let path: FilePath
        private let isOurs: Bool

        /// - Parameter opening: else it is standard input.
        init(_ path: FilePath, opening: Bool) throws {
            self.path = path
            isOurs = opening
            do {
                descriptor =
                    opening
                    ? try FileDescriptor.open(path, .readOnly, options: [.closeOnExec]) : .standardInput
            } catch {
                throw FileError(cannot: "read", path, error as? Errno ?? .ioError)
            }
        }

        deinit {
            if isOurs { try? descriptor.close() }
        }

        func read(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            do {
                return try descriptor.read(into: buffer, checkpoint: FileStreams.checkpoint)
            } catch let error as Errno {
                throw FileError(cannot: "read", path, error)
            }
        }
    }

    // MARK: Output

    /// Where the result goes.
    ///
    /// - Parameters:
    ///   - force: whether a file is replaced.
    ///   - input: must not be what standard output is appended to.
    ///   - key: must not either.
    static func output(
        _ name: String, force: Bool, notInto input: CryptoFileInput, _ key: FileKey
    ) throws -> CryptoFileOutput {
        guard name == dash else { return .file(FilePath(name), replacing: force) }
        guard try !input.isFile(behind: .standardOutput) else {
            throw CommandError(
                .invalid, "standard output is the file that is read", subject: input.path.string)
        }
        let output = try FileAttributes(descriptor: .standardOutput, path: "standard output")
        guard key.file?.isSameFile(as: output) != true else {
            throw CommandError(.invalid, "standard output is the file that the key was read from")
        }
        return .stream(write)
    }

    /// What standard output takes at once. A file lets nobody wait.
    private static let longestWrite: Int = {
        let output = try? FileAttributes(descriptor: .standardOutput, path: "standard output")
        return output?.kind == .regular ? 64 << 10 : Int(PIPE_BUF)
    }()

    /// To standard output, all of it.
    /// - Throws: ``ReaderGone``; `Interruption`; `FileError`.
    static func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            do {
                rest = rest.dropFirst(
                    try FileDescriptor.standardOutput.write(
                        UnsafeRawBufferPointer(rebasing: rest.prefix(longestWrite)), checkpoint: checkpoint))
            } catch Errno.brokenPipe {
                throw ReaderGone()
            } catch let error as Errno {
                throw FileError(cannot: "write", "standard output", error)
            }
        }
    }
}

extension OutputOptions {
    /// Content and result cannot go the same way.
    func check(_ target: String) throws {
        guard !json || target != FileStreams.dash else {
            throw ValidationError("--json prints to standard output, where the content goes.")
        }
    }

    /// Runs an operation that tells how many bytes are done.
    func withProgress<Result>(
        of activity: String, _ total: Int64?, _ body: ((Int64) throws -> Void) throws -> Result
    ) throws -> Result {
        try withProgress { progress in
            try withoutActuallyEscaping(progress) { progress in
                try body { try progress(OperationProgress(activity, completed: $0, total: total)) }
            }
        }
    }
}
