import SystemPackage
import ValiseAccounts
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// What a restore is about to do to a store, on disk before it does it. Once it is durable the restore is decided.
struct SwapJournal: Codable, Equatable {
    private let version: Int
    let program: SessionPlace.Kind
    /// What comes, by paths in the store: prepared files, which were verified.
    let files: [GuardRecord.File]
    /// What goes, as it was when the restore was decided, by paths in the store.
    let replaced: [String: FileStamp]
    /// The folder beside the store that keeps what goes.
    let keptName: String
    /// Whether the previous state comes back: what was put in place is not what it should be, or was not wanted any more.
    var isGoingBack = false

    static let fileName = "journal.json"
    private static let currentVersion = 1
    private static let sizeLimit = 1 << 20

    init(
        program: SessionPlace.Kind, files: [GuardRecord.File], replaced: [String: FileStamp], keptName: String
    ) {
        version = Self.currentVersion
        (self.program, self.files, self.replaced, self.keptName) = (program, files, replaced, keptName)
    }

    func write(in folder: FilePath, _ fileSystem: FileSystem) throws {
        try fileSystem.replace(folder.appending(Self.fileName), with: JSONText.encodeBytes(self))
    }

    /// - Returns: nil for none.
    /// - Throws: ``OperationError``: `newer`, `damaged`; `FileError`.
    static func read(in folder: FilePath, _ fileSystem: FileSystem) throws -> SwapJournal? {
        let path = folder.appending(fileName)
        guard try fileSystem.exists(path) else { return nil }
        let bytes = try fileSystem.contents(of: path, limit: sizeLimit)
        if let found = try? JSONText.decode(Version.self, from: bytes), found.version > currentVersion {
            throw OperationError(
                .newer, "a restore of a newer Valise was interrupted. Nothing was changed.",
                subject: path.string, remedy: .updateProgram)
        }
        guard let journal = try? JSONText.decode(SwapJournal.self, from: bytes), journal.isSound else {
            throw OperationError(
                .damaged, "cannot read the journal of an interrupted restore. Nothing was changed.",
                subject: path.string)
        }
        return journal
    }

    /// A journal is read from disk: it must not lead elsewhere.
    private var isSound: Bool {
        guard version > 0, let state = program.stateFiles, let kept = FilePath.Component(keptName),
            kept.kind == .regular, kept.string == keptName, keptName.contains(SessionSwap.keptInfix)
        else { return false }
        let names = Set((state.all + [state.index]).map(\.string))
        return names.isSuperset(of: files.map(\.path)) && names.isSuperset(of: replaced.keys)
    }

    private struct Version: Decodable {
        let version: Int
    }
}
