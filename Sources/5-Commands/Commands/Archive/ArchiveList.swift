import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct ArchiveList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the entries of an archive.",
        discussion: """
            The structure of the archive is checked first, as for an import. The archive may be a zip, tar (also \
            compressed with gzip, xz or Zstandard), cpio or 7z file. It is recognized by its content, not by its \
            name.
            """)

    @Argument(help: "The archive, or - for standard input.", completion: .file())
    var archive: String

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let listing = try output.run(ListArchive(ArchiveInput.source(archive, nil)))
        for record in listing.hidden { output.warn(record.sentence + ". An import refuses this archive.") }
        try output.print(listing, type: "archiveList") { text(listing) }
    }

    private func text(_ listing: ArchiveListing) -> String {
        var lines = listing.entries.map { entry in
            "\(Count.bytes(entry.size).padded(to: 9))  \(entry.method.padded(to: 8))  "
                + entry.name.withoutControls + (entry.role == "other" ? "  (not part of an account)" : "")
        }
        lines.append(
            "\(Count.text(listing.entries.count, "entry")), "
                + "\(Count.bytes(listing.totalSize)) in \(Count.bytes(listing.archiveSize))"
                + (listing.isAccount ? "" : "; no account databases"))
        return lines.joined(separator: "\n")
    }
}
