import ArgumentParser
import Valise

struct KeyInfo: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Tell what the files say of their encryption, without a passphrase.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try output.run(InspectEncryption(of: try account.find()))
        try output.print(report) { report.databases.map(text).joined(separator: "\n") }
    }

    private func text(_ info: EncryptionInfo) -> String {
        var lines = ["\(info.database.rawValue): \(form(info)), \(ByteCount.text(info.size))"]
        if let salt = info.salt { lines.append("salt \(salt)") }
        if let pages = info.pages { lines.append("\(Count.text(Int(pages), "page")) of 4096 bytes") }
        if info.form == .encrypted, info.pages == nil {
            lines.append("the size is no multiple of 4096: an older format, or cut off")
        }
        if let size = info.unencryptedPageSize { lines.append("pages of \(size) bytes") }
        if let journal = info.journal { lines.append("a journal of \(ByteCount.text(journal)) beside it") }
        if let log = info.writeAheadLog {
            lines.append("a write-ahead log of \(ByteCount.text(log)) beside it")
        }
        if !info.copies.isEmpty {
            lines.append(
                "copies that open with the passphrase of then: \(info.copies.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n       ")
    }

    private func form(_ info: EncryptionInfo) -> String {
        switch info.form {
        case .missing: "missing"
        case .empty: "an empty file"
        case .unencrypted where info.looksEncrypted == true: "a plain header before encrypted content"
        case .unencrypted: "not encrypted"
        case .encrypted where info.looksEncrypted == true: "encrypted"
        case .encrypted, .unknown: info.looksEncrypted == true ? "encrypted, cut off" : "not a database"
        }
    }
}
