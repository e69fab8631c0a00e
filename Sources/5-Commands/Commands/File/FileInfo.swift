import ArgumentParser
import Valise

struct FileInfo: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Tell what links or descriptions say of their files, without receiving them.",
        discussion: """
            No relay is asked. The name of a file is encrypted with it, so it is not known before; nor is in a link \
            when the file was sent, and with that when its relays will forget it: usually 48 hours after.
            """)

    @Argument(help: "Links, .xftp files, or - for links on standard input.", completion: .file())
    var links: [String]

    @OptionGroup var output: OutputOptions

    func run() throws {
        let files = try output.run(DescribeFiles(ReferenceArguments.texts(links)))
        if files.count == 1 {
            try output.print(files[0], type: "fileInfo") { Self.text(files[0]) }
        } else {
            try output.print(Report(files: files)) { files.map(Self.text).joined(separator: "\n") }
        }
    }

    private struct Report: Encodable {
        let type = "filesInfo"
        let files: [StandaloneFileInfo]
    }

    private static func text(_ info: StandaloneFileInfo) -> String {
        var lines = ["\(info.party == .sender ? "sender's" : "recipient's") description of a file"]
        lines.append("  size     \(ByteCount.text(info.size)) encrypted")
        if info.isRedirect {
            lines.append(
                "  redirect the description is a file itself, of \(ByteCount.text(info.downloadSize))")
        }
        lines.append("  chunks   \(info.chunks)")
        for server in info.servers {
            lines.append(
                "  relay    \(server.address.text.withoutControls): \(Count.text(server.chunks, "chunk")), "
                    + ByteCount.text(server.size))
        }
        if let data = info.data { lines.append("  data     \(data.withoutControls)") }
        lines.append("  expires  usually 48 hours after it was sent")
        return lines.joined(separator: "\n")
    }
}
