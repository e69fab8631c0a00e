public import SystemPackage
import ValiseConcurrency
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles

/// The source of a single file.
public enum FileInput: Sendable {
    /// A file, following links, or a named pipe.
    case path(FilePath)
    /// An open descriptor, which stays open, and its name in errors.
    case descriptor(FileDescriptor, name: FilePath)

    var path: FilePath {
        switch self {
        case .path(let path), .descriptor(_, let path): path
        }
    }

    /// Opens it: what can be read at any place is, and all else is a stream.
    func open() throws -> CryptoFileInput {
        let stream = try Stream(self)
        if let source = try FileSource(restOf: stream.descriptor, path: path) {
            return try CryptoFileInput(file: source)
        }
        return unsafe CryptoFileInput(stream: path) { try unsafe stream.read($0) }
    }

    /// A descriptor, closed when nobody reads from it any more.
    private final class Stream {
        let descriptor: FileDescriptor
        private let path: FilePath
        private let isOurs: Bool

        init(_ input: FileInput) throws(FileError) {
            path = input.path
            switch input {
            case .descriptor(let open, _): (descriptor, isOurs) = (open, false)
            case .path(let path):
                isOurs = true
                do {
                    descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
                } catch {
                    throw FileError(cannot: "read", path, error as? Errno ?? .ioError)
                }
            }
        }

        deinit {
            if isOurs { try? descriptor.close() }
        }

        func read(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            do {
                return try unsafe descriptor.read(into: buffer, checkpoint: Interruption.checkTask)
            } catch let error as Errno {
                throw FileError(cannot: "read", path, error)
            }
        }
    }
}
