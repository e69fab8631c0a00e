public import SystemPackage
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles
import ValiseKeys
import ValiseSecrets

/// Where the key of an encrypted file is read from: JSON with `fileKey` and `fileNonce`, or `key=… nonce=…`.
public enum FileKeyPlace: Sendable {
    /// A file that only its owner may read.
    case file(FilePath)
    /// An open descriptor, which stays open.
    case descriptor(FileDescriptor)
}

/// The key of a file, and the file that it was read from, which must not be written over.
struct FileKey: Sendable {
    let args: CryptoFileArgs
    /// Nil where it came from elsewhere.
    var file: FileAttributes?

    /// Where a file's key is unless told otherwise.
    static func place(beside file: FilePath) -> FilePath { file.appendingSuffix(".key.json") }

    /// A key that no other file has.
    static func fresh() throws -> FileKey { FileKey(args: try CryptoFileArgs()) }

    /// The key from its source, else from the file beside the input, else from the user, for whom this thread waits.
    ///
    /// - Parameter purpose: what it is for, as of ``PassphraseRequest``.
    /// - Throws: ``OperationError``: `invalid` where nobody can be asked.
    static func existing(
        _ source: FileKeyPlace?, for input: FileInput, to purpose: String, _ context: OperationContext
    ) throws -> FileKey {
        if let found = try source?.read() ?? beside(input) { return found }
        var request = PassphraseRequest(of: input.path.string, wanted: .fileKey)
        request.purpose = purpose
        guard let answer = try context.answer(whileBlocking: request) else {
            throw OperationError(
                .invalid, "no key was given, and there is no key file beside the file",
                subject: input.path.string, need: .fileKey)
        }
        return FileKey(args: try CryptoFileArgs(naming: "typed key", answer.bytes))
    }

    private static func beside(_ input: FileInput) throws -> FileKey? {
        guard case .path(let path) = input else { return nil }
        let place = place(beside: path)
        return try FileSystem().exists(place) ? try FileKeyPlace.file(place).read() : nil
    }
}

extension FileKeyPlace {
    func read() throws -> FileKey {
        switch self {
        case .file(let path):
            let source = FileKeySource(path, what: "key", checkpoint: Interruption.checkTask)
            let args = try CryptoFileArgs(naming: path.string, source.read())
            // What leads nowhere by name, such as a pipe of the shell, is no file that could be replaced.
            guard let file = try? FileSystem().resolve(path) else { return FileKey(args: args) }
            return FileKey(args: args, file: try FileSystem().attributes(of: file))
        case .descriptor(let descriptor):
            let name = "file descriptor \(descriptor.rawValue)"
            let source = DescriptorKeySource(
                descriptor, name: name, what: "key", checkpoint: Interruption.checkTask)
            return FileKey(
                args: try CryptoFileArgs(naming: name, source.read()),
                file: try FileAttributes(descriptor: descriptor, path: FilePath(name)))
        }
    }
}

extension CryptoFileArgs {
    /// - Parameter name: what a failure calls the text.
    fileprivate convenience init(naming name: String, _ text: borrowing SecretBytes) throws {
        do {
            try self.init(text: text)
        } catch let error as CryptoFileError {
            throw OperationError(error.code, error.message, subject: name)
        }
    }
}
