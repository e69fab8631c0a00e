import ArgumentParser
import CValisePlatform
import Valise
import ValiseCryptoFiles

/// The key of a file, and the file that it was read from, which must not be written over.
struct FileKey {
    let args: CryptoFileArgs
    /// Nil where it came from elsewhere.
    var file: FileAttributes?
}

/// Where the key of a file is read from. It is never an argument: those are visible to other processes.
struct FileKeySourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read key and nonce from this file, which nobody else may read.",
            discussion: "JSON with fileKey and fileNonce, or key=… nonce=…"),
        completion: .file())
    var keyFile: String?

    @Option(help: "Read key and nonce from this open file descriptor.")
    var keyFd: Int32?

    func validate() throws {
        guard keyFile == nil || keyFd == nil else {
            throw ValidationError("Give only one of --key-file and --key-fd.")
        }
    }

    var isGiven: Bool { keyFile != nil || keyFd != nil }

    /// The key from where the options say; nil when they say nothing.
    func given() throws -> FileKey? {
        if let keyFile { return try Self.read(FilePath(keyFile)) }
        guard let keyFd else { return nil }
        let name = "file descriptor \(keyFd)"
        let descriptor = FileDescriptor(rawValue: keyFd)
        let source = DescriptorKeySource(
            descriptor, name: name, what: "key", checkpoint: FileStreams.checkpoint)
        let args = try Self.args(source, name)
        return FileKey(args: args, file: try FileAttributes(descriptor: descriptor, path: FilePath(name)))
    }

    static func read(_ path: FilePath) throws -> FileKey {
        let args = try args(FileKeySource(path, what: "key", checkpoint: FileStreams.checkpoint), path.string)
        // What leads nowhere by name, such as a pipe of the shell, is no file that could be replaced.
        guard let file = try? FileSystem().resolve(path) else { return FileKey(args: args) }
        return FileKey(args: args, file: try FileSystem().attributes(of: file))
    }

    static func args(_ source: any KeySource, _ name: String) throws -> CryptoFileArgs {
        let text = try source.read()
        do {
            return try CryptoFileArgs(text: text)
        } catch let error as CryptoFileError {
            throw CommandError(error.code, error.message, subject: name)
        }
    }
}

/// The key of an encrypted file: from an option, else from the file beside it, else asked for.
struct FileKeyOptions: ParsableArguments {
    @OptionGroup var source: FileKeySourceOptions

    @Flag(help: "Never ask; fail where an answer would be needed.")
    var noInput = false

    /// Where a file's key is unless told otherwise.
    static func sidecar(of file: String) -> FilePath { FilePath(file).appendingSuffix(".key.json") }

    func existing(for file: String) throws -> FileKey {
        if let given = try source.given() { return given }
        if file != FileStreams.dash {
            let sidecar = Self.sidecar(of: file)
            if try FileSystem().exists(sidecar) { return try FileKeySourceOptions.read(sidecar) }
        }
        guard !noInput, Terminal.isThere else {
            throw CommandError(
                .invalid,
                "a key is needed, none is beside the file, and nobody can be asked; give --key-file or --key-fd",
                subject: file)
        }
        let prompt = "Key of \(file.withoutControls) (JSON, or key=… nonce=…): "
        return FileKey(
            args: try FileKeySourceOptions.args(TerminalKeySource(prompt: prompt), "what was typed"))
    }
}
