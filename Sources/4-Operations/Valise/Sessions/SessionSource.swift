import SystemPackage
import ValiseConcurrency
import ValiseEncoding
import ValiseFiles
import ValiseSecrets
import ValiseSessionStore

/// A store of Session whose files are kept as they are: in a snapshot or an export.
struct SessionSource: Sendable {
    /// A profile or a folder of a phone, by its absolute path.
    let place: SessionPlace
    /// Nil for the key that is in the configuration, or none.
    private let secret: SessionSecret?

    var folder: FilePath { place.path }

    /// A store in a folder, by its absolute path; nil for something else.
    /// - Throws: `FileError`; ``OperationError``: `unsupported` for a backup of Session iOS.
    static func find(_ path: FilePath) throws -> SessionPlace? {
        let fileSystem = FileSystem()
        guard try fileSystem.exists(path) else { return nil }
        let place = try SessionPlace.find(fileSystem.resolve(path))
        if case .backup = place {
            throw OperationError(
                .unsupported,
                "a backup of Session iOS is an archive already: it can be kept as it is, or be extracted first",
                subject: path.string)
        }
        return place
    }

    /// Takes what is given of a key. Nobody is asked for one, unless it is needed or a program may be using the database: without its
    /// key that cannot be copied as of one moment then.
    ///
    /// - Parameters:
    ///   - place: of the store: a folder.
    ///   - source: of the password, or the key of a phone's database.
    ///   - isNeeded: whether the database has to be opened.
    ///   - name: what the store is called where the user is asked; nil for its path.
    ///   - context: of the operation.
    /// - Throws: `SessionStoreError`: `damaged`, `invalid`; `FileError`; as the source of the passphrase.
    init(
        _ place: SessionPlace, _ source: PassphraseSource, isNeeded: Bool = false, name: String? = nil,
        in context: OperationContext
    ) async throws {
        self.place = place
        let needs = try await context.blocking { _ in try SessionSecret.needs(of: place) }
        guard needs != .nothing else {
            secret = nil
            return
        }
        if let given = try await SessionSecret(source, for: place) {
            secret = given
        } else if try await context.blocking({ _ in try isNeeded || Self.mayBeInUse(place) }) {
            let request = PassphraseRequest(of: name ?? place.path.string, wanted: needs.wanted)
            secret = .typed(try await context.passphrase(request))
        } else {
            secret = nil
        }
    }

    private static func mayBeInUse(_ place: SessionPlace) throws -> Bool {
        let fileSystem = FileSystem()
        guard let database = place.database else { return false }
        return try fileSystem.exists(database.appendingSuffix("-shm"))
            && fileSystem.exists(database.appendingSuffix("-wal"))
    }

    /// All files as of one moment.
    /// - Parameter places: folders for a private copy of the database.
    /// - Throws: `SessionStoreError`: `noKey`, `wrongKey`, `inUse`, `damaged`, `failed`; `FileError`: `noSpace`; whatever `progress`
    ///   throws.
    func files(in places: [FilePath], _ progress: ProgressHandler) throws -> KeptSession {
        let work = try PrivateFolder.forCopy(of: place.database ?? place.path, in: places)
        var copied: Int64 = 0
        func tell(_ bytes: Int64) throws {
            copied += bytes
            let activity = bytes == 0 ? "checking the database" : "copying the database"
            try progress(OperationProgress(activity, completed: copied, unit: .bytes))
        }
        return KeptSession(files: try files(in: work.path, tell), work: work)
    }

    private func files(in work: FilePath, _ tell: (Int64) throws -> Void) throws -> SessionFiles {
        switch place {
        case .desktop(let profile):
            guard case .typed(let password)? = secret else {
                return try profile.files(password: nil, workFolder: work, progress: tell)
            }
            return try profile.files(
                password: password.bytes.duplicate(), workFolder: work, progress: tell)
        case .phone(let container):
            return try container.files(
                key: secret?.key(of: container), workFolder: work, progress: tell)
        case .backup(let path):
            throw OperationError(.unsupported, "a backup of Session iOS is no folder", subject: path.string)
        }
    }
}

/// The files of a store of Session as of one moment, as long as this is there.
struct KeptSession: Sendable {
    let files: SessionFiles
    /// It has the copy of the database.
    private let work: PrivateFolder

    fileprivate init(files: SessionFiles, work: PrivateFolder) {
        (self.files, self.work) = (files, work)
    }
}

/// What is told of the copy of a store.
package enum SessionCopyNote: OperationNote {
    /// The key of the database is not known, so that nobody tried whether the copy opens.
    case notOpened(String)

    package var text: String {
        switch self {
        case .notOpened(let path):
            "\(path): the key of the database is not known, so the copy was not opened; its bytes are complete"
        }
    }

    /// Nil for a copy that was opened.
    init?(_ path: String, _ facts: SessionFacts, damage: String? = nil) {
        guard !facts.isOpened, damage == nil else { return nil }
        self = .notOpened(path)
    }
}

extension OperationContext {
    /// Notes that a copy was not opened; nil for one that was.
    func note(_ note: SessionCopyNote?) {
        if let note { events(.note(note)) }
    }
}
