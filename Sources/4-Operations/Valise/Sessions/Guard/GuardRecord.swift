import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// What the record of a guard says: of which store it is, what was in that, and what the files of the guard are.
struct GuardRecord: Codable, Sendable, Equatable {
    /// Where the store was.
    struct Source: Codable, Sendable, Equatable {
        /// Absolute, without links.
        let path: String
        /// The file system, and the database there.
        let device: UInt64
        let inode: UInt64
    }

    /// A file of the guard.
    struct File: Codable, Sendable, Equatable {
        /// In the guard, and in the store.
        let path: String
        /// In bytes.
        let size: Int64
        /// Of its content, in hexadecimal digits.
        let sha256: String
    }

    private let format: String
    private let version: Int
    /// In UTC, such as `2026-01-31T12:00:00Z`.
    let taken: String
    let program: SessionPlace.Kind
    let source: Source
    let content: GuardedContent
    /// Of the store; they are not in the guard.
    let attachments: AttachmentTally
    let files: [File]

    static let fileName = "guard.json"
    private static let knownFormat = "valise-session-guard"
    private static let currentVersion = 1
    private static let sizeLimit = 1 << 20

    init(
        taken: String, program: SessionPlace.Kind, source: Source, content: GuardedContent,
        attachments: AttachmentTally, files: [File]
    ) {
        (format, version) = (Self.knownFormat, Self.currentVersion)
        (self.taken, self.program, self.source) = (taken, program, source)
        (self.content, self.attachments, self.files) = (content, attachments, files)
    }

    /// In bytes.
    var size: Int64 { files.reduce(0) { $0.saturatingSum($1.size) } }

    func write(in folder: FilePath, _ fileSystem: FileSystem) throws {
        try fileSystem.replace(folder.appending(Self.fileName), with: JSONText.encodeBytes(self))
    }

    /// - Throws: ``OperationError``: `newer`, `damaged`; `FileError`.
    static func read(in folder: FilePath, _ fileSystem: FileSystem) throws -> GuardRecord {
        let path = folder.appending(fileName)
        let bytes = try fileSystem.contents(of: path, limit: sizeLimit)
        // The version alone first: what a newer one writes may not be read at all.
        if let found = try? JSONText.decode(Version.self, from: bytes), found.format == knownFormat,
            found.version > currentVersion
        {
            throw OperationError(
                .newer, "a newer Valise wrote this guard", subject: folder.string, remedy: .updateProgram)
        }
        guard let record = try? JSONText.decode(GuardRecord.self, from: bytes), record.isSound else {
            throw OperationError(.damaged, "cannot read the record of the guard", subject: path.string)
        }
        return record
    }

    /// A record is read from disk: it must not lead elsewhere, nor have numbers that nothing has.
    private var isSound: Bool {
        guard format == Self.knownFormat, version > 0, let state = program.stateFiles,
            UTCTime(taken) != nil
        else { return false }
        let paths = files.map(\.path)
        return Set(paths).count == paths.count && Set(paths).isSubset(of: state.all.map(\.string))
            && paths.contains(state.database.string)
            && files.allSatisfy { $0.size >= 0 && $0.sha256.utf8.count == 64 }
            && [attachments.files, attachments.size, content.conversations, content.messages]
                .allSatisfy { $0 >= 0 }
    }

    private struct Version: Decodable {
        let format: String
        let version: Int
    }
}

extension Int64 {
    /// The sum, or the largest number where it is larger than that. For two that are not negative.
    func saturatingSum(_ other: Int64) -> Int64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}

extension SessionPlace.Kind {
    /// What an update of the program changes; nil for a backup, which nothing changes.
    var stateFiles: SessionStateFiles? {
        switch self {
        case .desktop: .desktop
        case .phone: .phone
        case .backup: nil
        }
    }
}
