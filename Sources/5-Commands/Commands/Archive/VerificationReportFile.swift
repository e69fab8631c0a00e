import ArgumentParser
import Valise
import ValiseEncoding

/// The dated report of a verification, which each run of a scheduled job replaces.
///
/// Its place is claimed before the work begins, so that a job does not run for minutes and then cannot say what it found.
struct VerificationReportFile {
    static let type = "archiveVerification"
    /// An earlier report with a thousand problems of each kind is smaller.
    private static let limit = 16 << 20

    private let file: PendingFile

    /// - Throws: `FileError`: `alreadyExists` where something that is no such report has the name.
    init(_ path: FilePath, fileSystem: FileSystem = FileSystem()) throws {
        try Self.content.check(path, fileSystem: fileSystem)
        file = try PendingFile(path, fileSystem: fileSystem)
    }

    private struct Named: Decodable {
        let type: String
    }

    private static let content = ReplaceableContent(
        "a report of an earlier verification"
    ) { path, _, fileSystem throws(FileError) in
        guard let bytes = try? fileSystem.contents(of: path, limit: limit) else { return false }
        return (try? JSONText.decode(Named.self, from: bytes))?.type == type
    }

    /// Publishes the report.
    func write(_ report: ArchiveVerificationReport) throws {
        var target = try file.open()
        try target.write(
            try JSONText.encodeBytes(DatedReport(report: report), remedies: RemedyText.words) + [
                UInt8(ascii: "\n")
            ])
        try target.synchronize()
        try target.close()
        try file.publish(replacing: true, Self.content)
    }

    /// What `--json` prints, with what a file has to say of itself.
    private struct DatedReport: Encodable {
        let report: ArchiveVerificationReport

        func encode(to encoder: any Encoder) throws {
            try report.encode(to: encoder)
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            try container.encode(VerificationReportFile.type, forKey: "type")
            try container.encode(UTCTime.now.isoText, forKey: "date")
            try container.encode("valise \(ValiseCommand.configuration.version)", forKey: "program")
        }
    }
}
