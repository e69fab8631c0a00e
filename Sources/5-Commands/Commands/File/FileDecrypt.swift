import ArgumentParser
import Valise
import ValiseCryptoFiles

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
        let input = try FileStreams.input(source)
        let size: Int64
        do {
            let key = try key.existing(for: source)
            let destination = try FileStreams.output(target, force: force, notInto: input, key)
            size = try output.withProgress(of: "decrypting \(source)", input.size) {
                try CryptoFileOperations().decrypt(
                    input, to: destination, key.args, keyFile: key.file, unverified: unverified, progress: $0)
            }
        } catch is ReaderGone {
            return
        } catch let error as CryptoFileError where unverified && error.code == .damaged {
            output.note("what was printed is not to be trusted")
            throw error
        }
        guard target != FileStreams.dash else { return }
        try output.print(Result(source: source, file: target, size: size)) {
            "decrypted \(source.withoutControls) to \(target.withoutControls) (\(ByteCount.text(size)))"
        }
    }

    private struct Result: Encodable {
        let type = "fileDecrypted"
        let source: String
        let file: String
        /// Of the content, in bytes.
        let size: Int64
    }
}
