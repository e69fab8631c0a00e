import ArgumentParser
import Valise
import ValiseEncoding

struct BackupRepair: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Repair the index, packs or snapshots of a repository.",
        discussion: """
            'repair index' makes the index say what is stored: it reads packs that the index does not know, or knows with \
            another size, and drops those that are gone.

            'repair packs' reads all data. What is intact in a damaged pack is stored again, and the pack is dropped from \
            the index: the next 'backup run' stores again what the account still has. A 'backup prune' removes the \
            damaged packs, a day later at the earliest.

            'repair snapshots' writes snapshots that lost something anew: \
            of a file that is not complete the rest is kept, under a name that ends in .repaired. The new snapshots have \
            the tag repaired; the old ones stay. Nothing that can be read is removed. The exit status is 3 if something \
            could not be repaired.
            """)

    /// What is repaired.
    enum Part: String, CaseIterable, ExpressibleByArgument {
        case index, packs, snapshots
    }

    @Argument(help: "What to repair: index, packs or snapshots.")
    var part: Part

    @Flag(help: "For the index: read the headers of all packs.")
    var readAllPacks = false

    @Flag(help: "For snapshots: read all data first; what is damaged counts as lost.")
    var readData = false

    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var repository: RepositoryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if part != .snapshots, readData { throw ValidationError("--read-data is for snapshots") }
        if part != .index, readAllPacks { throw ValidationError("--read-all-packs is for the index") }
    }

    func run() throws {
        let chosen: RepairRepository.Part =
            switch part {
            case .index: .index(readsAllPacks: readAllPacks)
            case .packs: .packs
            case .snapshots: .snapshots(readsData: readData)
            }
        let operation = RepairRepository(chosen, of: try repository.input())
        let report = try output.run(operation, Answers(repository), dryRun)
        let type = dryRun.isAsked ? "backupRepairPlan" : "backupRepaired"
        try output.print(report, type: type) {
            let text = Self.text(report, isPlan: dryRun.isAsked)
            return dryRun.isAsked ? text.asDryRun() : text
        }
        if report.hasEntryErrors { throw ExitStatusError(status: .entryErrors) }
    }

    private static func text(_ report: RepairedRepository, isPlan: Bool) -> String {
        var lines = report.index.map(text) ?? []
        lines += report.packs.map(text) ?? []
        lines += report.snapshots.map { text($0, isPlan) } ?? []
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func text(_ index: RepairedRepository.Index) -> [String] {
        let parts: [(String, Int)] = [
            ("added to the index", index.added.count), ("corrected in the index", index.corrected.count),
            ("missing, dropped from the index", index.dropped.count),
        ]
        var lines = parts.filter { $0.1 > 0 }.map { "\(Count.text($0.1, "pack")) \($0.0)" }
        if index.isEmpty { lines.append("the index is correct") }
        return lines
            + FirstLines.of(index.unreadable, of: index.unreadable.count, indent: "") {
                "pack \($0.id.prefix(8)): \($0.message)"
            }
    }

    private static func text(_ packs: RepairedRepository.Packs) -> [String] {
        guard !packs.damaged.isEmpty else { return ["all packs are intact"] }
        var lines = FirstLines.of(packs.damaged, of: packs.damaged.count, indent: "") {
            "pack \($0.prefix(8)) is damaged"
        }
        guard let saved = packs.saved, let lost = packs.lost else { return lines }
        lines.append("stored \(Count.text(saved, "intact piece")) again; \(Count.text(lost, "piece")) lost")
        guard lost > 0 else { return lines }
        return lines + [Hint.backUpAgain.note]
    }

    private static func text(_ snapshots: RepairedRepository.Snapshots, _ isPlan: Bool) -> [String] {
        var lines = snapshots.repaired.flatMap { repaired in
            let old = "snapshot \(repaired.snapshot.prefix(8))"
            let head = repaired.replacement.map { "\(old): written anew as \($0.prefix(8)), without" }
            return ["\(head ?? "\(old): write it anew without")"]
                + FirstLines.of(repaired.entries, of: repaired.entries.count) { $0 }
        }
        lines += snapshots.failed.map { "snapshot \($0.id.prefix(8)): \($0.message)" }
        lines.append("\(Count.text(snapshots.intact, "snapshot")) intact")
        return lines
    }
}
