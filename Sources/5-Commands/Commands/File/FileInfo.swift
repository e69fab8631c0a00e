import ArgumentParser
import Valise
import ValiseEncoding

struct FileInfo: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show what links or file descriptions contain.",
        discussion: """
            Contacts no relay and receives nothing. The file name is not shown, because it is encrypted together \
            with the file. A link does not say when the file was sent or when it expires; relays usually delete \
            files after 48 hours.
            """)

    @Argument(help: "Links, .xftp files, or - for links on standard input.", completion: .file())
    var links: [String]

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let files = try output.run(DescribeFiles(ReferenceArguments.texts(links))).files
        if files.count == 1 {
            try output.print(files[0], type: "fileInfo") { Self.text(files[0]) }
        } else {
            try output.print(["files": files], type: "filesInfo") {
                files.map(Self.text).joined(separator: "\n")
            }
        }
    }

    private static func text(_ info: StandaloneFileInfo) -> String {
        var lines = ["\(info.party == .sender ? "sender's" : "recipient's") description of a file"]
        lines.append("  size     \(Count.bytes(info.size)) encrypted")
        if info.isRedirect {
            lines.append(
                "  redirect to a description of \(Count.bytes(info.downloadSize))")
        }
        lines.append("  chunks   \(info.chunks)")
        for server in info.servers {
            lines.append(
                "  relay    \(server.address.text.withoutControls): \(Count.text(server.chunks, "chunk")), "
                    + Count.bytes(server.size))
        }
        if let data = info.data { lines.append("  data     \(data.withoutControls)") }
        lines.append("  expires  usually 48 hours after sending")
        return lines.joined(separator: "\n")
    }
}
