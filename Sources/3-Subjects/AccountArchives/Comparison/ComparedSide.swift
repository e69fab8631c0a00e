import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMedia
import ValiseSecrets

/// One account under comparison: its entries under the names of an archive. An account in a folder stays locked for as
/// long as this object lives.
final class ComparedSide {
    let account: ComparedAccount
    /// In the order of their names.
    let entries: [ComparedEntry]
    let opener: EntryOpener
    /// The media as messages name them.
    let store: any MediaStore & Sendable
    /// Files that no archive could hold: links, and names that are no text.
    let leftOut: BoundedList<String>
    /// Databases that were read with a journal folded in, on a copy.
    let folded: [AccountDatabase]
    private let reading: AccountReading?
    private let contents: ZipContents?

    /// - Throws: ``ZipError`` for an archive that is no sound zip file; ``AccountError``; ``FileError``;
    ///   whatever `progress` throws.
    init(
        _ account: ComparedAccount, passphrase: borrowing SecretBytes?, fileSystem: FileSystem,
        progress: ProgressHandler
    ) throws {
        self.account = account
        switch account {
        case .archive(let path):
            let content = try ArchivedAccount(path, fileSystem: fileSystem)
            entries = content.index.entries.filter { !$0.isFolder }.map {
                ComparedEntry(name: $0.name, role: EntryRole(name: $0.name), size: $0.size, packed: $0)
            }.sorted(by: ComparedEntry.precedes)
            opener = EntryOpener(place: .archive(content.archive), fileSystem: fileSystem)
            store = content.media
            leftOut = BoundedList()
            folded = []
            reading = nil
            contents = content.contents
        case .folder(let location):
            let reading = try AccountReading(location, fileSystem: fileSystem)
            var found = FolderEntries(location, fileSystem)
            try found.addDatabases(reading, passphrase, progress)
            try found.addFolder(location.filesFolder, as: ArchiveLayout.files, .media)
            try found.addFolder(location.wallpapersFolder, as: ArchiveLayout.wallpapers, .wallpaper)
            entries = found.entries.sorted(by: ComparedEntry.precedes)
            opener = EntryOpener(
                place: .folder(location, databases: found.databases), fileSystem: fileSystem)
            store = try MediaFolder(location, fileSystem: fileSystem)
            leftOut = found.leftOut
            folded = found.folded
            self.reading = reading
            contents = nil
        }
    }

    /// Unpacks the databases of an archive: equal checksums in two directories say nothing of what lies there.
    ///
    /// - Throws: ``ComparisonError``: `damaged`; ``FileError``; whatever `progress` throws.
    func checkDatabases(_ progress: ProgressHandler) throws {
        let damage = try contents?.check(only: { EntryRole(name: $0.name) == .database }) { done in
            try progress(OperationProgress("checking the databases of the archive", completed: done))
        }
        guard let (entry, error) = damage?.first else { return }
        throw ComparisonError(
            .damaged, "this database is damaged in the archive, so that nothing was compared",
            subject: account.path.appending(entry.name).string, cause: error)
    }

    /// The entry of a database; nil where it is missing.
    func entry(of database: AccountDatabase) -> ComparedEntry? {
        entries.first { $0.role == .database && $0.name == database.archiveName }
    }

    /// Whether a database begins otherwise than a plain one.
    func isEncrypted(_ entry: ComparedEntry) throws -> Bool {
        var head = [UInt8](repeating: 0, count: 16)
        let source = try opener.open(entry)
        _ = try head.withUnsafeMutableBytes { try source.read(into: $0, at: 0) }
        return head != Array("SQLite format 3\0".utf8)
    }

    /// In bytes, unpacked.
    var size: Int64 { entries.reduce(0) { $0.addingReportingOverflow($1.size).partialValue } }
}

/// Collects the files of an account under the names that an archive would give them.
private struct FolderEntries {
    private let location: AccountLocation
    private let fileSystem: FileSystem
    private(set) var entries: [ComparedEntry] = []
    private(set) var databases: [AccountDatabase: FilePath] = [:]
    private(set) var leftOut = BoundedList<String>()
    private(set) var folded: [AccountDatabase] = []

    init(_ location: AccountLocation, _ fileSystem: FileSystem) {
        self.location = location
        self.fileSystem = fileSystem
    }

    mutating func addDatabases(
        _ reading: AccountReading, _ passphrase: borrowing SecretBytes?, _ progress: ProgressHandler
    ) throws {
        for database in AccountDatabase.allCases {
            let file = try DatabaseFile(location.path(of: database), fileSystem: fileSystem)
            guard file.form != .missing else { continue }
            let path = try path(of: file, database, reading, passphrase, progress)
            if file.needsFolding { folded.append(database) }
            databases[database] = path
            entries.append(
                ComparedEntry(
                    name: database.archiveName, role: .database,
                    size: try fileSystem.attributes(of: path)?.size ?? file.size, packed: nil))
        }
    }

    private func path(
        of file: DatabaseFile, _ database: AccountDatabase, _ reading: AccountReading,
        _ passphrase: borrowing SecretBytes?, _ progress: ProgressHandler
    ) throws -> FilePath {
        guard file.needsFolding else { return file.path }
        if file.form == .plain {
            return try reading.path(of: database, passphrase: SecretBytes.empty(), progress: progress)
        }
        guard let key = try passphrase.duplicate() else {
            throw ComparisonError(
                .wrongPassphrase,
                "a program that crashed left a journal beside this database; give the passphrase to read it",
                subject: file.path.string)
        }
        return try reading.path(of: database, passphrase: key, progress: progress)
    }

    /// The regular files that lie directly in the folder, as archives have them.
    mutating func addFolder(_ folder: FilePath, as target: String, _ role: EntryRole) throws {
        guard try fileSystem.isDirectory(folder) else { return }
        for entry in try fileSystem.list(folder) where entry.kind != .directory {
            guard entry.kind == .regular, let name = entry.name,
                let component = FilePath.Component(bytes: entry.nameBytes)
            else {
                leftOut.add(target + "/" + String(decoding: entry.nameBytes, as: UTF8.self))
                continue
            }
            guard let found = try fileSystem.attributes(of: folder.appending(component)) else { continue }
            entries.append(
                ComparedEntry(name: "\(target)/\(name)", role: role, size: found.size, packed: nil))
        }
    }
}
