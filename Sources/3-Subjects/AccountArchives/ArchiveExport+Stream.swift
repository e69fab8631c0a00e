import SystemPackage
package import ValiseAccounts
import ValiseArchives
package import ValiseConcurrency
import ValiseContainers
import ValiseCryptography
import ValiseEncoding
import ValiseFiles
package import ValiseSecrets

extension ArchiveExport {
    /// Exports the account into a stream, such as a pipe, front to back. What a journal has to be folded into is a private
    /// copy beside the account.
    ///
    /// Nobody can take back what a stream has taken: where this throws, what was written is no whole archive, and every
    /// reader of zip files sees that.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - next: takes the next bytes of the archive, on this thread; throw to stop.
    ///   - passphrase: where given, both databases have to open with it.
    ///   - progress: sees how far it is; throw to stop.
    /// - Returns: what was written; `-` is its path.
    /// - Throws: as ``export(_:to:passphrase:progress:)``; whatever `next` throws.
    package func export(
        _ location: AccountLocation, into next: @escaping (UnsafeRawBufferPointer) throws -> Void,
        passphrase: borrowing SecretBytes? = nil, progress: ProgressHandler = { _ in }
    ) throws -> ExportReport {
        var report = ExportReport(archivePath: Self.streamPath)
        report.recovery = try AccountWriter.complete(location, fileSystem: fileSystem)
        let reader = try AccountReader(location, fileSystem: fileSystem)
        defer { withExtendedLifetime(reader) {} }
        let collector = try gather(location, reader, passphrase, &report, progress)
        let digest = options.isReproducible ? StreamDigest() : nil
        let entries = try unsafe entries { bytes in
            unsafe digest?.update(bytes)
            try unsafe next(bytes)
        }
        try write(collector, entries, &report, progress)
        report.sha256 = digest.map { Hexadecimal.encode($0.finalize()) }
        return report
    }

    private func entries(
        into next: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws -> any ExportEntries {
        guard options.format == .zip else {
            return TarEntries(
                writer: try unsafe TarWriter(tarPacking, into: next), isReproducible: options.isReproducible)
        }
        return ZipEntries(
            writer: unsafe ZipWriter(
                stream: next, level: options.level, isReproducible: options.isReproducible))
    }

    /// What stands for a stream in reports and plans.
    static let streamPath = "-"
}

/// A SHA-256 that a closure can continue.
private final class StreamDigest {
    private var hash: SHA256? = SHA256()

    func update(_ bytes: UnsafeRawBufferPointer) { unsafe hash?.update(bytes) }

    func finalize() -> [UInt8] { hash.take()?.finalize() ?? [] }
}
