import ArgumentParser
import Valise
import ValiseEncoding

/// What pushing and pulling have in common.
struct StoreSyncOptions: ParsableArguments {
    @OptionGroup var store: StoreArgument

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(
            "End conflicts: keep-local, keep-remote, or keep-both, which renames the file of the folder. If left out: "
                + "both stay as they are.", valueName: "rule"))
    var conflicts: ConflictEnding?

    @OptionGroup var writing: StoreWritingOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var options: StoreOptions

    var answers: Answers { Answers(options, yes: consent.yes) }

    /// For operations.
    func synchronization() throws -> FolderSynchronization {
        var input = try options.input(store)
        input.device = writing.device
        var synchronization = FolderSynchronization(FilePath(folder), input)
        synchronization.writing = writing.writing
        synchronization.ending = conflicts
        return synchronization
    }
}

extension ConflictEnding: ExpressibleByArgument {}

extension OutputOptions {
    func show(_ plan: PlannedSync) throws {
        try print(plan, type: "storeSyncPlan") { StoreSyncText.text(plan).asDryRun() }
        if plan.hasEntryErrors { try complain(of: plan) }
    }

    func show(_ done: SynchronizedFolder) throws {
        try print(done, type: "storeSynchronized") { StoreSyncText.text(done) }
        try complain(of: done)
    }
}

/// What a synchronization would do, and what it did, for the user.
enum StoreSyncText {
    static func text(_ plan: PlannedSync) -> String {
        var lines = FirstLines.of(plan.steps, of: plan.steps.count, indent: "") {
            "\(words($0, plan.resolution)) \($0.path)"
        }
        lines.append(
            plan.steps.isEmpty
                ? "nothing to \(plan.direction); \(Count.text(plan.same, "file")) the same"
                : "\(Count.text(plan.steps.count, "file")), \(Count.bytes(plan.size)); \(plan.same) the same")
        if plan.skipped > 0 { lines.append(skipped(plan)) }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private static func skipped(_ plan: PlannedSync) -> String {
        let side = plan.direction == "push" ? "store" : "folder"
        return "\(Count.text(plan.skipped, "change")) of the \(side) not looked at"
    }

    private static func words(_ step: PlannedSync.Step, _ resolution: String?) -> String {
        switch step.action {
        case "remove-from-store", "remove-from-folder": "remove"
        case "conflict": resolution.map { "conflict, \($0):" } ?? "conflict:"
        default: step.action
        }
    }

    static func text(_ done: SynchronizedFolder) -> String {
        let counts = [
            ("uploaded", done.uploaded), ("downloaded", done.downloaded),
            ("removed from the store", done.removedFromStore),
            ("removed from the folder", done.removedFromFolder), ("resolved", done.resolved),
        ].filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        var lines = FirstLines.of(done.conflicts, of: done.conflicts.count, indent: "") { "conflict: \($0)" }
        lines.append(
            counts.isEmpty
                ? "\(done.conflicts.isEmpty ? "up to date" : "nothing done"); \(Count.text(done.same, "file")) the same"
                : "\(counts.joined(separator: ", ")) (\(Count.bytes(done.size))); \(done.same) the same")
        if !done.conflicts.isEmpty {
            lines.append(
                Hint("end conflicts", options: "--conflicts", detail: "keep-local, keep-remote or keep-both")
                    .note)
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
