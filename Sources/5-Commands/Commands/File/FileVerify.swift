import ArgumentParser
import Valise
import ValiseEncoding

struct FileVerify: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify encrypted files and their keys.",
        discussion: """
            The key of each file is read from FILE.key.json beside it, else you are asked for it. For a single file, \
            it can be given with --key-file or --key-fd. Nothing is written. Exits with 13 if a key is wrong or a file \
            was changed, else with 10 if a file is missing, else with the status of the first failure.
            """)

    @Argument(help: "Encrypted files, or - for standard input.", completion: .file())
    var files: [String]

    @OptionGroup var key: FileKeyOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard files.count == 1 || key.source.place == nil else {
            throw ValidationError(
                "--key-file and --key-fd need exactly one file, because each file has its own key")
        }
    }

    func run() throws {
        var operation = VerifyFiles(files.map(FileStreams.input))
        operation.key = key.source.place
        let results = zip(files, try output.run(operation, key.answers).files).map(Result.init)
        try output.print(Report(files: results)) { results.map(\.text).joined(separator: "\n") }
        if let worst = Self.worst(results) { throw ExitStatusError(status: worst) }
    }

    private static func worst(_ results: [Result]) -> ExitStatus? {
        let failures = results.map(\.status).filter { $0 != .done }
        return [.damaged, .notFound].first(where: failures.contains) ?? failures.first
    }

    private struct Report: Encodable {
        let type = "filesVerified"
        let files: [Result]
    }

    private struct Result: Encodable {
        let file: String
        /// Of the content, in bytes; nil if it was not verified.
        let size: Int64?
        let failure: (any Failure)?

        init(_ file: String, _ verified: VerifiedFile) {
            self.file = file
            size = verified.size
            failure = verified.failure.map(CommandError.worded)
        }

        var status: ExitStatus { failure.map { ExitStatus($0.code) } ?? .done }

        var text: String {
            let sentence = failure.map(\.message) ?? "intact, key matches (\(Count.bytes(size ?? 0)))"
            let hints = RemedyCommand.notes([failure?.remedy].compactMap(\.self)).map { "  \($0)" }
            return (["\(file): \(sentence)"] + hints).map(\.withoutControls).joined(separator: "\n")
        }

        private enum CodingKeys: String, CodingKey {
            case file, result, size, message, exitStatus
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(file, forKey: .file)
            try container.encode(failure?.code.rawValue ?? "ok", forKey: .result)
            try container.encodeIfPresent(size, forKey: .size)
            try container.encodeIfPresent(failure?.message, forKey: .message)
            try container.encode(status.rawValue, forKey: .exitStatus)
        }
    }
}
