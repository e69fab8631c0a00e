import Failures
import Files
import JSONCoding
import SystemPackage

/// What an act is about to do to an account, on disk before it does it.
///
/// Once the journal is durable the act is decided: the next run completes it, however often it is
/// interrupted. Before that, everything it prepared is thrown away and the account is as it was.
struct ChangeJournal: Codable, Equatable {
    static let fileName = "journal.json"
    private static let currentVersion = 1
    private static let sizeLimit = 16 << 20

    var version = currentVersion
    /// The act in a word for messages: `import`, `create`, `migration`.
    let act: String
    let steps: [ChangeStep]
    /// Whether the replaced databases are kept as a backup that `rollback` restores.
    private(set) var keepsBackup: Bool
    /// Whether such a backup goes with this act: once restored, it must not stay for a second time.
    private(set) var dropsBackup: Bool
    /// Whether the replaced databases stay beside the new ones; missing in journals of older versions.
    let keepsFormer: Bool?
    /// The databases that are replaced, as they were when the act was decided, by their names; missing in
    /// journals of older versions.
    let replaced: [String: FileStamp]?
    /// Whether the backup is of databases that were written to after the act was decided; nil for no.
    private(set) var keepsLaterWork: Bool?

    init(
        act: String, steps: [ChangeStep], keepsBackup: Bool = false, dropsBackup: Bool = false,
        keepsFormer: Bool = false, replaced: [String: FileStamp] = [:]
    ) {
        self.replaced = replaced
        self.keepsFormer = keepsFormer
        self.act = act
        self.steps = steps
        self.keepsBackup = keepsBackup
        self.dropsBackup = dropsBackup
    }

    /// The names of the databases that it replaces.
    var databases: [String] {
        steps.compactMap { if case .database(_, let target) = $0 { target } else { nil } }
    }

    /// The same act where the databases were written to since it was decided.
    func keepingLaterWork() -> ChangeJournal {
        var journal = self
        journal.keepsBackup = true
        journal.dropsBackup = false
        journal.keepsLaterWork = true
        return journal
    }

    /// - Throws: ``AccountError`` where it would be too large to be read back.
    func encoded(for workFolder: FilePath) throws -> [UInt8] {
        let bytes = try JSONText.encodeBytes(self)
        guard bytes.count <= Self.sizeLimit else {
            throw AccountError(
                .unsupported, "this act has too many steps for its journal; nothing was changed",
                workFolder.appending(Self.fileName))
        }
        return bytes
    }

    func write(in workFolder: FilePath, _ fileSystem: FileSystem) throws {
        try fileSystem.replace(workFolder.appending(Self.fileName), with: encoded(for: workFolder))
    }

    static func read(in workFolder: FilePath, _ fileSystem: FileSystem) throws -> ChangeJournal? {
        let path = workFolder.appending(fileName)
        guard try fileSystem.exists(path) else { return nil }
        let bytes = try fileSystem.contents(of: path, limit: sizeLimit)
        guard let journal = try? JSONText.decode(ChangeJournal.self, from: bytes),
            journal.steps.allSatisfy(\.isInsideOfAccount)
        else {
            throw AccountError(
                .damaged, "the journal of an interrupted act cannot be read; nothing was changed now", path)
        }
        guard journal.version == currentVersion else {
            throw AccountError(.newer, "a newer Valise was interrupted here; finish with that one", path)
        }
        return journal
    }
}

/// One step of an act. Each can be repeated: what is done already is passed over.
enum ChangeStep: Codable, Equatable {
    /// A staged database takes the place of the former one, whose side files go with it.
    case database(staged: String, target: String)
    /// The files of a staged folder go into a folder, over those of the same name: over all of them, or with
    /// a growth (in bytes) only over those from which they were made.
    case merge(staged: String, target: String, growth: Int64?)
    /// A folder is there afterwards.
    case folder(target: String)

    /// A journal is read from disk: it must not lead elsewhere.
    var isInsideOfAccount: Bool {
        let paths =
            switch self {
            case .database(let staged, let target), .merge(let staged, let target, _): [staged, target]
            case .folder(let target): [target]
            }
        return paths.allSatisfy { path in
            !path.isEmpty
                && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                    !$0.isEmpty && $0 != ".." && $0 != "." && !$0.utf8.contains(0)
                }
        }
    }
}
