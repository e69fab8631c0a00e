import ArgumentParser
import Valise
import ValiseEncoding

struct KeyInfo: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show encryption settings; no passphrase needed.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try output.run(InspectEncryption(of: try account.find(output)))
        try output.print(report) { report.databases.map(text).joined(separator: "\n") }
    }

    private func text(_ info: EncryptionInfo) -> String {
        var lines = ["\(info.database.rawValue): \(form(info)), \(Count.bytes(info.size))"]
        if let salt = info.salt { lines.append("salt \(salt)") }
        if let pages = info.pages { lines.append("\(Count.text(Int(pages), "page")) of 4096 bytes") }
        if info.form == .encrypted, info.pages == nil {
            lines.append("the size is not a multiple of 4096: an older format, or truncated")
        }
        if let size = info.unencryptedPageSize { lines.append("\(size)-byte pages") }
        if let journal = info.journal { lines.append("journal beside it, \(Count.bytes(journal))") }
        if let log = info.writeAheadLog {
            lines.append("write-ahead log beside it, \(Count.bytes(log))")
        }
        if !info.copies.isEmpty {
            lines.append(
                "older copies, with the passphrase they had then: \(info.copies.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n       ")
    }

    private func form(_ info: EncryptionInfo) -> String {
        switch info.form {
        case .missing: "missing"
        case .empty: "empty file"
        case .unencrypted where info.looksEncrypted == true: "encrypted, with an unencrypted header"
        case .unencrypted: "not encrypted"
        case .encrypted where info.looksEncrypted == true: "encrypted"
        case .encrypted, .unknown: info.looksEncrypted == true ? "encrypted, truncated" : "not a database"
        }
    }
}
