import ArgumentParser
import Synchronization
import Valise
import ValiseEncoding
import ValiseTerminal

struct StoreList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the files of a store.",
        discussion: """
            Lists the names in a folder, or in all folders with --recursive. With --long, the entry of each file is read, \
            which shows its size, when it was changed, the device that wrote it, and e for an encrypted one. With --json, \
            each entry is a line, and a summary is the last one. The exit status is 3 if an entry cannot be read.
            """)

    @OptionGroup var store: StoreArgument

    @Argument(help: ArgumentHelp("List what is in this folder of the store.", valueName: "folder"))
    var folder: String?

    @Flag(name: .shortAndLong, help: "List what is in folders, too.")
    var recursive = false

    @Flag(name: .shortAndLong, help: "Show sizes, times and devices.")
    var long = false

    @Flag(help: "Show deleted files, too; only with --long they are known.")
    var deleted = false

    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard long || !deleted else { throw ValidationError("--deleted needs --long") }
    }

    func run() throws {
        let stream = StreamedOutput(pages: false)
        var operation = ListStore(try options.input(store)) { [json = output.json, long] entry in
            let line =
                try json
                ? JSONText.encode(TypedDocument(type: "storeEntry", value: entry))
                : long ? Self.details(entry) : Self.name(entry)
            try stream.write(line + "\n")
        }
        operation.folder = folder
        operation.isRecursive = recursive
        operation.isDetailed = long
        operation.includesDeleted = deleted
        do {
            let list = try stream.shown { try output.run(operation, Answers(options)) }
            if output.json { try output.print(list, type: "storeListed") { "" } }
            if list.entries == 0 { output.note("no files") }
            try output.complain(of: list)
        } catch is ReaderGone {
            return
        }
    }

    private static func name(_ entry: StoreEntry) -> String {
        (entry.kind == .folder ? entry.path + "/" : entry.path).withoutControls
    }

    /// Columns of a width that most have: a list of any length is not kept to measure it.
    private static func details(_ entry: StoreEntry) -> String {
        let size = entry.size.map(Count.bytes) ?? "-"
        let time = entry.modified.map { String($0.prefix(16)).replacing("T", with: " ") } ?? "-"
        let mark =
            switch entry.kind {
            case .deleted: "deleted"
            case .unfinished: "unfinished"
            case .unusable: "no path"
            case .entry: "damaged"
            case .file, .symlink, .folder: entry.isEncrypted == true ? "e" : "-"
            }
        let target = entry.target.map { " -> \($0)" } ?? ""
        return [
            padded(size, 9, isRight: true), padded(time, 16), padded(mark, 1),
            padded(entry.device ?? "-", 10), name(entry) + target.withoutControls,
        ].joined(separator: "  ")
    }

    private static func padded(_ text: String, _ width: Int, isRight: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return (isRight ? space + text : text + space).withoutControls
    }
}

extension OutputOptions {
    /// Shows the entries that failed, which a JSON document has, and ends with their status.
    func complain(of report: some OperationReport) throws {
        guard report.hasEntryErrors else { return }
        if !json { SnapshotText.complain(report.entryFailures) }
        throw ExitStatusError(status: .entryErrors)
    }
}
