import ArgumentParser
import Valise

struct FileDecrypt: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "decrypt", abstract: "Decrypt a file, after proof that it is whole.",
        discussion: """
            The key is read from where the options say, else from IN.key.json where it is there, else asked for. \
            A decrypted file appears only when the whole was proved; of a wrong key or a changed file nothing is \
            left. A run that is killed leaves unproved content in OUT.partial, until the next run to that name. \
            To standard output a file is read twice, and not one byte of a false one is printed; what comes \
            through a pipe cannot be read twice and needs --unverified there. Exit status 13: the key does not \
            fit, or the file was changed.
            """)

    @Argument(help: "The encrypted file, or - for standard input.", completion: .file())
    var source: String

    @Argument(help: "The file to write, or - for standard output.", completion: .file())
    var target: String

    @Flag(help: "Replace a file of this name, if it is of the kind of what is decrypted.")
    var force = false

    @Flag(
        help: ArgumentHelp(
            "Print content before it is proved.",
            discussion: "Do not use what was printed when the exit status is not 0."))
    var unverified = false

    @OptionGroup var key: FileKeyOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !unverified || target == FileStreams.dash else {
            throw ValidationError("--unverified is for standard output; a file is always proved.")
        }
        try output.check(target)
    }

    func run() throws {
        var operation = DecryptFile(
            FileStreams.input(source), to: FileStreams.output(target, replacing: force))
        operation.key = key.source.place
        operation.isUnverified = unverified
        let decrypted: ConvertedFile
        do {
            decrypted = try output.run(operation, key.answers)
        } catch is ReaderGone {
            return
        } catch let failure as any Failure where unverified && failure.code == .damaged {
            output.note("what was printed is not to be trusted")
            throw failure
        }
        guard target != FileStreams.dash else { return }
        let result = ConvertedFileJSON(
            type: "fileDecrypted", source: source, file: target, size: decrypted.size)
        try output.print(result) {
            "decrypted \(source.withoutControls) to \(target.withoutControls) (\(ByteCount.text(result.size)))"
        }
    }
}
