import ArgumentParser
import Valise
import ValiseEncoding

struct FileEncrypt: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt", abstract: "Encrypt a file with a new key, and save the key beside it.",
        discussion: """
            The key and nonce are written as JSON to a file with mode 0600, by default OUT.key.json. The key file is \
            synced to disk before the encrypted file appears. Anyone with the key file can read the encrypted file; \
            without it, nobody can. Existing files are never replaced, because a key could be lost.

            With --key-file or --key-fd, an existing key is used, and a key file is written only with --key-output. \
            Never encrypt two different files with the same key and nonce: both could be read without the key.
            """)

    @Argument(help: "The file to encrypt, or - for standard input.", completion: .file())
    var source: String

    @Argument(help: "The encrypted file, or - for standard output.", completion: .file())
    var target: String

    @Option(help: "Write the key to this new file. Required for standard output.", completion: .file())
    var keyOutput: String?

    @OptionGroup var key: FileKeySourceOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard target != FileStreams.dash || keyOutput != nil || key.place != nil else {
            throw ValidationError("Standard output needs --key-output for the key")
        }
        if !dryRun.isAsked { try output.check(target) }
    }

    func run() throws {
        var operation = EncryptFile(FileStreams.input(source), to: FileStreams.output(target))
        operation.key = key.place
        operation.keyOutput = keyOutput.map { FilePath($0) }
        if dryRun.isAsked { return try output.show("fileEncryption", files: output.plan(operation)) }
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
            "encrypted \(FileStreams.shown(source)) (\(Count.bytes(result.size))) to \(target.withoutControls)"
                + (result.keyFile.map { "; the key is in \($0.withoutControls)" } ?? "")
        }
    }
}
