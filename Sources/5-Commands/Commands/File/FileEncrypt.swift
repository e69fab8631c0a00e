import ArgumentParser
import Valise

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
        guard target != FileStreams.dash || keyOutput != nil || key.place != nil else {
            throw ValidationError("For standard output, say with --key-output where the key goes.")
        }
        try output.check(target)
    }

    func run() throws {
        var operation = EncryptFile(FileStreams.input(source), to: FileStreams.output(target))
        operation.key = key.place
        operation.keyOutput = keyOutput.map { FilePath($0) }
        let encrypted: ConvertedFile
        do {
            encrypted = try output.run(operation)
        } catch is ReaderGone {
            return
        }
        guard target != FileStreams.dash else { return }
        let result = ConvertedFileJSON(
            type: "fileEncrypted", source: source, file: target, size: encrypted.size,
            keyFile: encrypted.keyFile?.string)
        try output.print(result) {
            "encrypted \(source.withoutControls) (\(ByteCount.text(result.size))) to \(target.withoutControls)"
                + (result.keyFile.map { "; the key is in \($0.withoutControls)" } ?? "")
        }
    }
}
