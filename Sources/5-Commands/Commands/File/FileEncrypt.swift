import ArgumentParser
import Valise
import ValiseCryptoFiles

struct FileEncrypt: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt", abstract: "Encrypt a file under a fresh key, which is written beside it.",
        discussion: """
            The key and its nonce go into a file of mode 0600 as JSON, by default OUT.key.json, which is durable \
            before the encrypted file appears. Whoever has it can read the file; without it nobody can. \
            Nothing is ever replaced: a key would be lost.

            With --key-file or --key-fd a given key is used, and no key is written unless --key-output asks for \
            it. A key and its nonce must never encrypt two different files: both could be read without the key.
            """)

    @Argument(help: "The file to encrypt, or - for standard input.", completion: .file())
    var source: String

    @Argument(help: "The encrypted file, or - for standard output.", completion: .file())
    var target: String

    @Option(help: "Write the key into this new file. Needed for standard output.", completion: .file())
    var keyOutput: String?

    @OptionGroup var key: FileKeySourceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard target != FileStreams.dash || keyOutput != nil || key.isGiven else {
            throw ValidationError("For standard output, say with --key-output where the key goes.")
        }
        try output.check(target)
    }

    func run() throws {
        let input = try FileStreams.input(source)
        let key = try key.given() ?? FileKey(args: CryptoFileArgs())
        let keyOutput = keyPath
        let size: Int64
        do {
            let destination = try FileStreams.output(target, force: false, notInto: input, key)
            size = try output.withProgress(of: "encrypting \(source)", input.size) {
                try CryptoFileOperations().encrypt(
                    input, to: destination, key.args, keyFile: key.file, keyOutput: keyOutput, progress: $0)
            }
        } catch is ReaderGone {
            return
        }
        guard target != FileStreams.dash else { return }
        try output.print(Result(source: source, file: target, size: size, keyFile: keyOutput?.string)) {
            "encrypted \(source.withoutControls) (\(ByteCount.text(size))) to \(target.withoutControls)"
                + (keyOutput.map { "; the key is in \($0.string.withoutControls)" } ?? "")
        }
    }

    private var keyPath: FilePath? {
        if let keyOutput { return FilePath(keyOutput) }
        return key.isGiven ? nil : FileKeyOptions.sidecar(of: target)
    }

    private struct Result: Encodable {
        let type = "fileEncrypted"
        let source: String
        let file: String
        /// Of the content, in bytes.
        let size: Int64
        let keyFile: String?
    }
}
