public import SystemPackage
import ValiseConcurrency
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The destination of a single file.
public enum FileOutput: Sendable {
    /// A file, which gets its name only once it is complete. An existing file is replaced only if requested, and only by its kind.
    case path(FilePath, replacing: Bool)
    /// A descriptor, written from start to end, and its name in errors.
    case descriptor(DescriptorOutput)

    /// - Parameters:
    ///   - input: must not be what the descriptor appends to.
    ///   - key: must not either; nil while it is not known.
    func checked(notInto input: CryptoFileInput, _ key: FileKey? = nil) throws -> CryptoFileOutput {
        switch self {
        case .path(let path, let replacing): return .file(path, replacing: replacing)
        case .descriptor(let output):
            guard try !input.isFile(behind: output.descriptor) else {
                throw OperationError(
                    .invalid, "\(output.name) is the input file", subject: input.path.string)
            }
            let file = try FileAttributes(descriptor: output.descriptor, path: output.name)
            guard key?.file?.isSameFile(as: file) != true else {
                throw OperationError(.invalid, "\(output.name) is the key file")
            }
            return unsafe .stream(output.write)
        }
    }
}

/// An open descriptor to write to. It stays open.
public struct DescriptorOutput: Sendable {
    let descriptor: FileDescriptor
    let name: FilePath
    /// What it takes at once. A file lets nobody wait.
    private let longestWrite: Int

    /// - Parameters:
    ///   - descriptor: where content is written.
    ///   - name: its name in errors.
    public init(_ descriptor: FileDescriptor, name: FilePath) {
        (self.descriptor, self.name) = (descriptor, name)
        let file = try? FileAttributes(descriptor: descriptor, path: name)
        longestWrite = file?.kind == .regular ? 64 << 10 : Int(PIPE_BUF)
    }

    /// Writes all of the bytes.
    /// - Throws: ``ReaderGone``; `Interruption` where the task was cancelled; `FileError`.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        var written = 0
        while written < bytes.count {
            let end = min(bytes.count, written + longestWrite)
            do {
                let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[written..<end])
                let count = try unsafe descriptor.write(piece, checkpoint: Interruption.checkTask)
                written += count
            } catch Errno.brokenPipe {
                throw ReaderGone()
            } catch let error as Errno {
                throw FileError(cannot: "write", name, error)
            }
        }
    }
}

extension Interruption {
    /// For what blocks inside of a task.
    static func checkTask() throws {
        if Task.isCancelled { throw Interruption() }
    }
}
