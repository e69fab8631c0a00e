import ArgumentParser
import Valise
import ValiseEncoding

struct StoreVerify: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check a store for damage.",
        discussion: """
            Reads every object: chunks are compared with the digests that are their names, manifests with their names and \
            index entries, and files with their sizes and hashes, after decryption if the key is given. Changes nothing. \
            --part 2/7 reads the second of seven parts; run another part each day. What was verified, and when, is \
            remembered; 'valise store status' shows it. The exit status is 13 for damage.
            """)

    @OptionGroup var store: StoreArgument

    @Option(
        help: ArgumentHelp("Read a part of the content: 2/7 for the second of seven.", valueName: "part"))
    var part: StorePartArgument?

    @Flag(help: "Read no content: check only that everything is there.")
    var structure = false

    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard part == nil || !structure else {
            throw ValidationError("Use only one of --part and --structure")
        }
    }

    func run() throws {
        var operation = VerifyStore(try options.input(store))
        if let part { operation.reading = .part(part.number, of: part.count) }
        if structure { operation.reading = .none }
        let report = try output.run(operation, Answers(options))
        try output.print(report, type: "storeVerified") { Self.text(report) }
        if !report.isIntact { throw ExitStatusError(status: .damaged) }
    }

    private static func text(_ report: VerifiedStore) -> String {
        let errors = report.errors
        let remarks = report.findings.filter { !$0.isError }
        var lines = FirstLines.of(errors, of: errors.count, indent: "") {
            "error: \($0.subject): \($0.message)"
        }
        lines += FirstLines.of(remarks, of: remarks.count, indent: "") {
            "note: \($0.subject): \($0.message)"
        }
        if report.omitted > 0 { lines.append("and \(Count.text(report.omitted, "more finding"))") }
        lines.append(
            "\(Count.text(report.files, "file")), \(Count.text(report.chunks, "chunk")), "
                + "\(Count.bytes(report.storedSize)); read \(report.extent): "
                + "\(Count.text(report.verifiedFiles, "file")) verified, \(Count.bytes(report.readSize))")
        if report.orphans > 0 {
            lines.append(
                "\(Count.text(report.orphans, "object")) that no file uses, \(Count.bytes(report.orphanSize))"
            )
        }
        lines.append(report.isIntact ? "the store is intact" : "the store is damaged")
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}

/// A part of the content: `2/7`.
struct StorePartArgument: ExpressibleByArgument {
    let number: Int
    let count: Int

    private static let most = 10_000

    init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
            (1...Self.most).contains(count), (1...count).contains(number)
        else { return nil }
        (self.number, self.count) = (number, count)
    }
}
