import ArgumentParser
import Valise

/// The source of a file's key. A key is never an argument: other processes can see those.
struct FileKeySourceOptions: ParsableArguments {
    @Option(
        help: """
            Read key and nonce from this file: JSON with fileKey and fileNonce, or key=… nonce=…. Others must not \
            have access to it.
            """,
        completion: .file())
    var keyFile: String?

    @Option(help: "Read key and nonce from this open file descriptor.")
    var keyFd: Int32?

    func validate() throws {
        guard keyFile == nil || keyFd == nil else {
            throw ValidationError("Use only one of --key-file and --key-fd")
        }
    }

    /// For operations; nil if none of them is given.
    var place: FileKeyPlace? {
        keyFile.map { .file(FilePath($0)) } ?? keyFd.map { .descriptor(FileDescriptor(rawValue: $0)) }
    }
}

/// The key of an encrypted file: from an option, else from the file beside it, else asked for.
struct FileKeyOptions: ParsableArguments {
    @OptionGroup var source: FileKeySourceOptions

    @OptionGroup var input: InputOptions

    var answers: Answers { Answers(canAsk: input.canAsk) }
}
