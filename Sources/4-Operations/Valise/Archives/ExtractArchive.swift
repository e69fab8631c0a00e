public import SystemPackage
public import ValiseAccountArchives
import ValiseAccounts
public import ValiseConcurrency

/// Extracts files from an archive, after the same checks as an import.
public struct ExtractArchive: Operation {
    package var archive: FilePath
    /// The folder to extract to; it is made where it is missing.
    package var target: FilePath
    package var options: ArchiveExtraction.Options
    /// Needed where media are decrypted.
    package var passphrase: PassphraseSource

    /// - Parameters:
    ///   - archive: the archive.
    ///   - target: the folder for its entries.
    ///   - options: which entries, and how.
    ///   - passphrase: opens the chat database, where media are decrypted.
    public init(
        _ archive: FilePath, to target: FilePath, options: ArchiveExtraction.Options,
        passphrase: PassphraseSource = PassphraseSource()
    ) {
        self.archive = archive
        self.target = target
        self.options = options
        self.passphrase = passphrase
    }

    public func plan(in context: OperationContext) async throws -> ExtractionReport {
        var options = options
        options.isDryRun = true
        return try await extract(options, .temporary, context)
    }

    public func run(in context: OperationContext) async throws -> ExtractionReport {
        try await extract(options, .beside(target), context)
    }

    /// - Parameter place: where the private copy of an archive goes that is no zip.
    private func extract(
        _ options: ArchiveExtraction.Options, _ place: KeepArchive.Place, _ context: OperationContext
    ) async throws -> ExtractionReport {
        let opened = try await ImportArchive.Source.file(archive).asZip(
            in: place, limits: options.limits, context)
        let fileSystem = opened.source.fileSystem
        let (content, needsKey) = try await context.blocking { _ in
            let content = try opened.content()
            let needsKey = try ArchiveExtraction(options, fileSystem: fileSystem)
                .needsPassphrase(content, to: target)
            return (content, needsKey)
        }
        let given = needsKey ? try await passphrase.read() : nil
        let key =
            needsKey && given == nil
            ? try await context.asking(to: "decrypt its media").passphrase(
                of: archive.string, opening: AccountReader(content), [.chat]) : given
        let report = try await context.blocking { progress in
            try key.lent {
                try ArchiveExtraction(options, fileSystem: fileSystem)
                    .extract(from: content, to: target, passphrase: $0, progress: progress)
            }
        }
        context.tell(report.entryFailures)
        return report
    }
}

extension ExtractionReport: OperationReport {
    public var entryFailures: [EntryFailure] {
        archiveErrors.map { EntryFailure($0) } + unmatched.map { EntryFailure($0, "no entry matches") }
    }
}
