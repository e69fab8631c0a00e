import SystemPackage
import ValiseCryptography
package import ValiseFiles
import ValiseSecrets

extension SessionBackup {
    /// What a check of all frames found.
    package struct Verification: Sendable, Hashable {
        /// How many files there are, extra ones too.
        package let files: Int
        /// Of their contents, in bytes.
        package let bytes: Int64
        /// Whether the database is there.
        package let hasDatabase: Bool
        /// Whether the encrypted key of the database is there.
        package let hasKey: Bool
    }

    /// The files in their order. Their contents are passed over: only paths and sizes are verified.
    ///
    /// - Parameter progress: gets the bytes of the backup that were passed; throw to stop.
    /// - Throws: ``SessionStoreError`` with `damaged`; errors of the source; whatever `progress` throws.
    package func list(progress: (Int64) throws -> Void = { _ in }) throws -> [SessionBackupEntry] {
        var list = EntryList(isVerifying: false)
        try read(into: &list, progress: progress)
        return list.entries.map(\.entry)
    }

    /// Verifies all frames.
    ///
    /// - Parameter progress: gets the bytes of the backup that were verified; throw to stop.
    /// - Throws: ``SessionStoreError`` with `damaged`; errors of the source; whatever `progress` throws.
    package func verify(progress: (Int64) throws -> Void = { _ in }) throws -> Verification {
        var list = EntryList(isVerifying: true)
        try read(into: &list, progress: progress)
        let paths = list.entries.map(\.entry.path)
        return Verification(
            files: paths.count, bytes: list.entries.reduce(0) { $0 + $1.entry.size },
            hasDatabase: paths.contains(SessionBackupEntry.database),
            hasKey: paths.contains(SessionBackupEntry.key))
    }

    /// The content of one file, to be read at any place where it is. All descriptions are read to find it.
    ///
    /// - Parameter path: of the file.
    /// - Throws: ``SessionStoreError``: `missing`, `damaged`; `unsupported` for a content that is not in full frames, as no
    ///   program writes it; errors of the source.
    package func content(of path: String) throws -> any ByteSource {
        try SessionBackupFiles(self).content(of: path)
    }

    /// All files, with how their contents are divided.
    func entries() throws -> [ListedEntry] {
        var list = EntryList(isVerifying: false)
        try read(into: &list)
        return list.entries
    }
}

private struct EntryList: SessionBackupReceiver {
    let isVerifying: Bool
    private(set) var entries: [ListedEntry] = []

    init(isVerifying: Bool) { self.isVerifying = isVerifying }

    mutating func begin(_ entry: SessionBackupEntry) -> Bool { isVerifying }
    mutating func receive(_ bytes: UnsafeRawBufferPointer) {}
    mutating func end(_ entry: SessionBackupEntry, isRegular: Bool) {
        entries.append(ListedEntry(entry: entry, isRegular: isRegular))
    }
}
