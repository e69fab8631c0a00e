/// What was extracted from an archive, or would be.
public struct ExtractionReport: Sendable, Equatable, Encodable {
    /// Entries that were not extracted.
    package internal(set) var archiveErrors: [ArchiveError] = []
    /// The archive.
    package let archivePath: String
    /// The folder.
    package let outPath: String
    /// Whether nothing was written.
    package internal(set) var isDryRun = false
    /// How many files were written.
    public internal(set) var entries = 0
    /// The bytes of these.
    public internal(set) var size: Int64 = 0
    /// How many of these are media that were decrypted.
    public internal(set) var decrypted = 0
    /// How many of these are media for which the chat database has no key, written as they lie in the archive; nil
    /// where nothing was to be decrypted.
    package internal(set) var withoutKey: Int?
    /// Patterns that match no entry.
    package internal(set) var unmatched: [String] = []

    /// Whether everything requested was extracted.
    package var isComplete: Bool { archiveErrors.isEmpty && unmatched.isEmpty }
}
