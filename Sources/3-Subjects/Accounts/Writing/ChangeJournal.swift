import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// What an operation is about to do to an account, on disk before it does it.
///
/// Once the journal is durable the operation is decided: the next run completes it, however often it is
/// interrupted. Before that, everything it prepared is thrown away and the account is as it was.
struct ChangeJournal: Codable, Equatable {
    static let fileName = "journal.json"
    /// The newest that is understood. An operation that an older Valise would carry out in part says so by it.
    private static let currentVersion = 3
    private static let sizeLimit = 16 << 20

    var version: Int
    /// The operation in a word for messages: `import`, `create`, `migration`.
    let operation: String
    private(set) var steps: [ChangeStep]
    /// Whether the replaced databases are kept as a backup that `rollback` restores.
    private(set) var keepsBackup: Bool
    /// Whether such a backup goes with this operation: once restored, it must not stay for a second time.
    private(set) var dropsBackup: Bool
    /// Whether the replaced databases stay beside the new ones; missing in journals of older versions.
    let keepsPrevious: Bool?
    /// The databases that are replaced, as they were when the operation was decided, by their names; missing in
    /// journals of older versions.
    let replaced: [String: FileStamp]?
    /// The folder inside the account's that the replaced databases stay in, with their journals; nil for none.
    private(set) var keepsPreviousIn: String?
    /// Whether what is kept was written to after the operation was decided; nil for no.
    private(set) var keepsLaterWork: Bool?

    /// What has no key here is not kept.
    private enum CodingKeys: String, CodingKey {
        case version, steps, keepsBackup, dropsBackup, replaced, keepsLaterWork
        case operation = "act"
        case keepsPrevious = "keepsFormer"
        case keepsPreviousIn = "keepsFormerIn"
    }

    init(
        operation: String, steps: [ChangeStep], keepsBackup: Bool = false, dropsBackup: Bool = false,
        keepsPrevious: Bool = false, keepsPreviousIn: String? = nil, replaced: [String: FileStamp] = [:]
    ) {
        version =
            if steps.contains(where: \.isRemoval) {
                3
            } else if keepsPreviousIn != nil || steps.contains(where: \.isFile) { 2 } else { 1 }
        self.keepsPreviousIn = keepsPreviousIn
        self.replaced = replaced
        self.keepsPrevious = keepsPrevious
        self.operation = operation
        self.steps = steps
        self.keepsBackup = keepsBackup
        self.dropsBackup = dropsBackup
    }

    /// The names of the databases that it replaces.
    var databases: [String] {
        steps.compactMap { if case .database(_, let target) = $0 { target } else { nil } }
    }

    /// The stamps of the databases that it replaces; none in journals of older versions.
    func replacedDatabases(of location: AccountLocation) -> [AccountDatabase: FileStamp] {
        var stamps: [AccountDatabase: FileStamp] = [:]
        for database in AccountDatabase.allCases {
            stamps[database] = replaced?[location.prefix + database.suffix]
        }
        return stamps
    }

    /// The same operation where the databases were written to since it was decided.
    func keepingLaterWork() -> ChangeJournal {
        var journal = self
        // One copy of it is enough.
        if keepsPreviousIn == nil { journal.keepsBackup = true }
        journal.dropsBackup = false
        journal.keepsLaterWork = true
        return journal
    }

    /// The same operation with another folder for the replaced account.
    func keepingPrevious(in folder: String) -> ChangeJournal {
        var journal = self
        journal.steps = steps.map {
            guard case .merge(let staged, let target, let growth) = $0, target == keepsPreviousIn else {
                return $0
            }
            return .merge(staged: staged, target: folder, growth: growth)
        }
        journal.keepsPreviousIn = folder
        return journal
    }

    /// - Throws: ``AccountError`` where it would be too large to be read back.
    func encoded(for workFolder: FilePath) throws -> [UInt8] {
        let bytes = try JSONText.encodeBytes(self)
        guard bytes.count <= Self.sizeLimit else {
            throw AccountError(
                .unsupported, "too many steps for one operation. Nothing was changed.",
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
        // The version alone first: what a newer one writes may not be read at all.
        if let version = try? JSONText.decode(Version.self, from: bytes).version, version > currentVersion {
            throw AccountError(
                .newer, "an operation of a newer Valise was interrupted. Nothing was changed.", path,
                remedy: .updateProgram)
        }
        guard let journal = try? JSONText.decode(ChangeJournal.self, from: bytes), journal.version > 0,
            journal.steps.allSatisfy(\.isInsideOfAccount),
            journal.keepsPreviousIn.map(ChangeStep.isInside) ?? true
        else {
            throw AccountError(
                .damaged, "cannot read the journal of an interrupted operation. Nothing was changed.",
                path)
        }
        return journal
    }

    private struct Version: Decodable {
        let version: Int
    }
}

/// One step of an operation. Each can be repeated: what is done already is passed over.
enum ChangeStep: Codable, Equatable {
    /// A staged database takes the place of the previous one, whose side files go with it.
    case database(staged: String, target: String)
    /// The files of a staged folder go into a folder, over those of the same name: over all of them, or with
    /// a growth (in bytes) only over those from which they were made.
    case merge(staged: String, target: String, growth: Int64?)
    /// A folder is there afterwards.
    case folder(target: String)
    /// A staged file takes the place of the target, which is not kept.
    case file(staged: String, target: String)
    /// A file is gone afterwards.
    case removal(target: String)

    var isRemoval: Bool { if case .removal = self { true } else { false } }
    var isFile: Bool { if case .file = self { true } else { false } }

    /// A journal is read from disk: it must not lead elsewhere.
    var isInsideOfAccount: Bool {
        let paths =
            switch self {
            case .database(let staged, let target), .merge(let staged, let target, _),
                .file(let staged, let target):
                [staged, target]
            case .folder(let target), .removal(let target): [target]
            }
        return paths.allSatisfy(Self.isInside)
    }

    /// Whether a relative path stays inside the account's folder.
    static func isInside(_ path: String) -> Bool {
        !path.isEmpty
            && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty && $0 != ".." && $0 != "." && !$0.utf8.contains(0)
            }
    }
}
