package import SystemPackage
public import ValiseAccountArchives
import ValiseAccounts
package import ValiseArchives
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// Verifies an account archive without importing or unpacking it, as far as possible even without the passphrase.
public struct VerifyArchive: Operation {
    /// A dated report, which each run of a scheduled job replaces.
    package struct ReportFile: Sendable {
        package var path: FilePath
        /// Which program wrote it, with its version.
        package var program: String

        package init(_ path: FilePath, by program: String) {
            self.path = path
            self.program = program
        }
    }

    package var archive: ImportArchive.Source
    /// How far the archive's claims are trusted.
    package var limits = ZipLimits()
    package var reportFile: ReportFile?
    /// Where none is given, the user may enter one. Key stores are not asked: an archive does not tell whose it is.
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - archive: the archive to verify.
    ///   - passphrase: opens the databases.
    public init(_ archive: ImportArchive.Source, passphrase: PassphraseSource = PassphraseSource()) {
        self.archive = archive
        self.passphrase = passphrase
    }

    public func run(in context: OperationContext) async throws -> ArchiveVerificationReport {
        let (archive, key) = try await opened(context)
        return try await context.blocking { progress in
            let file = try reportFile.map { try VerificationReportFile($0) }
            let report = try key.lent {
                try ArchiveVerification(
                    limits: limits, copiesIn: { try KeepArchive.Place.temporary.folder(context.folders) },
                    fileSystem: archive.fileSystem
                ).verify(archive.path, passphrase: $0, progress: progress)
            }
            try file?.write(report, remedies: context.wording.remedies)
            return report
        }
    }
}

extension VerifyArchive {
    /// With the passphrase. Nobody is asked about what cannot be opened, or opens without: the verification says what is wrong.
    private func opened(
        _ context: OperationContext
    ) async throws -> (archive: ImportArchive.Source, key: SharedSecret?) {
        // Before the passphrase: the command that prints it may have the same standard input.
        let source = try await archive.kept(in: .temporary, context)
        if let given = try await passphrase.read() { return (source, given) }
        let (archive, encrypted) = try await context.blocking {
            _ -> (ImportArchive.Source, AccountReader?) in
            let archive = try held(source)
            let content = try? OpenedArchive(archive, nil, limits).content()
            guard let reader = content.map({ AccountReader($0) }) else { return (archive, nil) }
            let isEncrypted = AccountDatabase.allCases.contains { (try? reader.isEncrypted($0)) == true }
            return (archive, isEncrypted ? reader : nil)
        }
        guard let encrypted else { return (archive, nil) }
        let asking = context.asking(to: "verify its databases", orElse: "verify the rest")
        let key = try await asking.askedPassphrase(
            of: archive.path.string, opening: encrypted, isOptional: true)
        return (archive, key)
    }

    /// A file is opened once: the one that a passphrase is tried on is verified, whatever has its name by then.
    private func held(_ source: ImportArchive.Source) throws -> ImportArchive.Source {
        guard case .file(let path) = source, try FileSystem().attributes(of: path)?.kind == .regular else {
            return source
        }
        let file = try FileSystem().openForReading(path)
        return .lent(path, by: FileSystem().lending(file, as: path))
    }
}

extension ArchiveVerificationReport {
    /// The encrypted databases that are not verified for want of a passphrase.
    package var databasesWithoutPassphrase: [String] {
        guard notVerified.contains(where: { $0.reason == .noPassphrase }) else { return [] }
        return databases.filter { $0.1.key == .notGiven }.map(\.0.rawValue)
    }
}

/// The report of a verification as a file.
///
/// Its place is claimed before the work begins, so that a job does not run for minutes and then cannot say what it found.
private struct VerificationReportFile {
    private static let type = "archiveVerification"
    /// An earlier report with a thousand problems of each kind is smaller.
    private static let limit = 16 << 20

    private let file: PendingFile
    private let program: String

    /// - Throws: `FileError`: `alreadyExists` where something that is no such report has the name.
    init(_ target: VerifyArchive.ReportFile) throws {
        try Self.content.check(target.path)
        file = try PendingFile(target.path)
        program = target.program
    }

    private struct Named: Decodable {
        let type: String
    }

    private static let content = ReplaceableContent(
        "a verification report"
    ) { path, _, fileSystem throws(FileError) in
        guard let bytes = try? fileSystem.contents(of: path, limit: limit) else { return false }
        return (try? JSONText.decode(Named.self, from: bytes))?.type == type
    }

    /// Publishes the report.
    func write(_ report: ArchiveVerificationReport, remedies: @escaping RemedyWords) throws {
        var target = try file.open()
        let document = Document(report: report, program: program)
        try target.write(
            try JSONText.encodeBytes(document, remedies: remedies) + [UInt8(ascii: "\n")])
        try target.synchronize()
        try target.close()
        try file.publish(replacing: true, Self.content)
    }

    /// The report with what a file has to say of itself.
    private struct Document: Encodable {
        let report: ArchiveVerificationReport
        let program: String

        func encode(to encoder: any Encoder) throws {
            try report.encode(to: encoder)
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            try container.encode(VerificationReportFile.type, forKey: "type")
            try container.encode(UTCTime.now.isoText, forKey: "date")
            try container.encode(program, forKey: "program")
        }
    }
}
