import ArgumentParser
import Valise
import ValiseEncoding

struct FileDecrypt: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "decrypt", abstract: "Decrypt a file after verifying it.",
        discussion: """
            The key is read from the file or descriptor in the options, else from IN.key.json if it exists, else you \
            are asked for it. The decrypted file appears only after the whole content has been verified. With a \
            wrong key or a changed file, no output is left. If the command is killed, unverified content is left in \
            OUT.partial until the next run with the same OUT. To write to standard output, the file is read twice, \
            and nothing is printed before it has been verified. A pipe cannot be read twice and needs --unverified. \
            Exits with 13 if the key is wrong or the file was changed.
            """)

    @Argument(help: "The encrypted file, or - for standard input.", completion: .file())
    var source: String

    @Argument(help: "The file to write, or - for standard output.", completion: .file())
    var target: String

    @Flag(help: "Replace an existing file if it is of the same kind as the decrypted one.")
    var force = false

    @Flag(
        help: "Print content before it is verified. Discard it if the exit status is not 0.")
    var unverified = false

    @OptionGroup var key: FileKeyOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !unverified || target == FileStreams.dash else {
            throw ValidationError("--unverified is only for standard output; files are always verified")
        }
        if !dryRun.isAsked { try output.check(target) }
    }

    func run() throws {
        var operation = DecryptFile(
            FileStreams.input(source), to: FileStreams.output(target, replacing: force))
        operation.key = key.source.place
        operation.isUnverified = unverified
        if dryRun.isAsked { return try output.show("fileDecryption", files: output.plan(operation)) }
        let decrypted: ConvertedFile
        do {
            decrypted = try output.run(operation, key.answers)
        } catch is ReaderGone {
            return
        } catch let failure as any Failure where unverified && failure.code == .damaged {
            output.note("do not trust the output")
            throw failure
        }
        guard target != FileStreams.dash else { return }
        let result = ConvertedFileJSON(
            type: "fileDecrypted", source: source, file: target, size: decrypted.size)
        try output.print(result) {
            "decrypted \(FileStreams.shown(source)) to \(target.withoutControls) (\(Count.bytes(result.size)))"
        }
    }
}
