import ArgumentParser
import Valise

struct RelayRepair: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Repair what a check of a relay finds.",
        discussion: """
            Missing and damaged chunks can be uploaded again by their senders. Chunks that no record names are removed \
            once they are older than --age, which is at least one hour: younger ones may be uploads in progress. With \
            embedded records, stop the relay first. Run with --dry-run to see what would be done.
            """)

    @Flag(help: "Read every chunk and compare it with its digest.")
    var content = false

    @Option(help: ArgumentHelp("Remove chunks without a record if they are older.", valueName: "hours"))
    var age = Int(StoreRepair.usualAge / 3600)

    @OptionGroup var relay: RelayFolderOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...1_000_000).contains(age) else { throw ValidationError("--age must be at least 1 hour") }
    }

    func run() throws {
        var operation = RepairRelay(in: try relay.find())
        operation.readsContent = content
        operation.age = Int64(age) * 3600
        let report = try output.run(operation, Answers(), dryRun)
        try output.print(report, type: "relayRepaired") { RelayCheckText.text(report) }
    }
}
