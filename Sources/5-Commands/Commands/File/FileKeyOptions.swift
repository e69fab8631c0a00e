import ArgumentParser
import Valise

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

    /// For operations; nil where the options say nothing.
    var place: FileKeyPlace? {
        keyFile.map { .file(FilePath($0)) } ?? keyFd.map { .descriptor(FileDescriptor(rawValue: $0)) }
    }
}

/// The key of an encrypted file: from an option, else from the file beside it, else asked for.
struct FileKeyOptions: ParsableArguments {
    @OptionGroup var source: FileKeySourceOptions

    @Flag(help: "Never ask; fail where an answer would be needed.")
    var noInput = false

    var answers: Answers {
        var answers = Answers()
        answers.canAsk = !noInput && Terminal.isThere
        return answers
    }
}
