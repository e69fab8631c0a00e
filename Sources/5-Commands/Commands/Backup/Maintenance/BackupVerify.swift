import ArgumentParser
import Valise
import ValiseEncoding

struct BackupVerify: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check a repository for damage.",
        discussion: """
            Changes nothing in the repository. Checks that everything is there that its snapshots need. With --read-data, \
            all data is read and compared with its digests. With --read-in-days N, a part of it is read each day, so that \
            all is read in N days: run it daily. A part with damage is read again until it is repaired. What was checked, \
            and when, is remembered; 'valise backup status' shows it. The exit status is 13 for damage.
            """)

    @OptionGroup var repository: RepositoryOptions

    @Flag(help: "Read all data.")
    var readData = false

    @Option(
        help: ArgumentHelp(
            "Read a part of the data: 2/7 for the second of seven parts, 10% or 500M by chance.",
            valueName: "part"))
    var readDataSubset: ReadSubsetArgument?

    @Option(
        help: ArgumentHelp(
            "Read a part of the data each day, so that all is read in this many days, at most 256.",
            valueName: "days"))
    var readInDays: Int?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [readData, readDataSubset != nil, readInDays != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("Use only one of --read-data, --read-data-subset, --read-in-days")
        }
        if let readInDays, !(1...256).contains(readInDays) {
            throw ValidationError("--read-in-days is a number from 1 to 256")
        }
    }

    func run() throws {
        var operation = VerifyRepository(try repository.input())
        if readData { operation.reading = .all }
        if let readDataSubset { operation.reading = readDataSubset.reading }
        if let readInDays { operation.reading = .inDays(readInDays) }
        let report = try output.run(operation, Answers(repository))
        try output.print(report, type: "backupVerified") { BackupVerifyText(report: report).text }
        if !report.isIntact { throw ExitStatusError(status: .damaged) }
    }
}

/// A part of the data: `2/7`, `10%`, `500M`.
struct ReadSubsetArgument: ExpressibleByArgument {
    let reading: VerifyRepository.Reading

    init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let number = Int(parts[0]), let count = Int(parts[1]), (1...256).contains(count),
                (1...count).contains(number)
            else { return nil }
            reading = .part(number, of: count)
        } else if argument.hasSuffix("%") {
            guard let percent = Double(argument.dropLast()), percent > 0, percent <= 100 else { return nil }
            reading = .percent(percent)
        } else {
            guard let bytes = ByteSize.decode(argument), bytes > 0 else { return nil }
            reading = .bytes(bytes)
        }
    }
}
