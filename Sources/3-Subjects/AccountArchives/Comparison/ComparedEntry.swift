import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseFailures
import ValiseFiles

/// What an entry is to an account.
public enum EntryRole: String, Sendable, Codable, CaseIterable {
    case database
    case media
    case wallpaper
    /// No part of an account.
    case other

    init(name: String) {
        self =
            switch ArchiveLayout.role(of: name) {
            case .database: .database
            case .file: .media
            case .wallpaper: .wallpaper
            case .other: .other
            }
    }
}

/// One entry of an archive, or a file that would be one.
struct ComparedEntry: Sendable {
    /// As in an archive, whatever the prefix of an account is.
    let name: String
    let role: EntryRole
    /// In bytes.
    let size: Int64
    /// Nil for a file of a folder.
    let packed: ZipEntry?

    /// The order of all lists: by bytes, since two names may differ although Unicode calls them equivalent.
    static func precedes(_ left: ComparedEntry, _ right: ComparedEntry) -> Bool {
        left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}

/// Opens entries; any thread may.
struct EntryOpener: Sendable {
    enum Place: Sendable {
        case archive(FileSource)
        case folder(AccountLocation, databases: [AccountDatabase: FilePath])
    }

    let place: Place
    let fileSystem: FileSystem

    /// - Throws: ``FileError``; ``ZipError``.
    func open(_ entry: ComparedEntry) throws -> any ByteSource {
        switch (place, entry.packed) {
        case (.archive(let archive), let packed?): return try packed.source(in: archive)
        case (.folder(let location, let databases), _):
            return try FileSource(
                Self.path(of: entry.name, location, databases), fileSystem: fileSystem)
        case (.archive(let archive), nil):
            throw ComparisonError(
                .failed, "an entry lost its place in the archive", subject: archive.path.string)
        }
    }

    private static func path(
        of name: String, _ location: AccountLocation, _ databases: [AccountDatabase: FilePath]
    ) -> FilePath {
        switch ArchiveLayout.role(of: name) {
        case .database(let database): databases[database] ?? location.path(of: database)
        case .file(let file): location.filesFolder.appending(file)
        case .wallpaper(let file): location.wallpapersFolder.appending(file)
        case .other: location.directory.appending(name)
        }
    }
}
