import SystemPackage
import ValiseChatLog
import ValiseConcurrency
import ValiseEncoding
import ValiseFiles
import ValiseSecrets
import ValiseSessionStore

/// A profile of Session Desktop in the place of an account, or a copy of one.
struct SessionInput: Sendable {
    private let profile: DesktopProfile
    /// Nil where the profile has none.
    private let password: SharedSecret?
    /// For a private copy of the database, which the program may be changing.
    private let work: PrivateFolder
    private let includesExpired: Bool
    private let expired = ExpiredMessages()

    /// Whether a folder is such a profile.
    /// - Throws: `FileError`.
    static func isThere(_ path: FilePath) throws -> Bool {
        let fileSystem = FileSystem()
        // Above a database of this name there is always a folder.
        guard try fileSystem.isDirectory(path) else { return false }
        let files = [path.appending("config.json"), path.appending("sql").appending("db.sqlite")]
        return try files.allSatisfy { try fileSystem.attributes(of: $0)?.kind == .regular }
    }

    /// - Throws: `SessionStoreError`: `damaged`; `FileError`: `noSpace` where the copy has no space; as the source of the
    ///   passphrase.
    init(_ input: ConversationInput, in context: OperationContext) async throws {
        let (profile, asks) = try await context.blocking { _ in
            let profile = try DesktopProfile(input.path)
            return (profile, try profile.asksForPassword())
        }
        self.profile = profile
        includesExpired = input.includesExpired
        if !asks {
            password = nil
        } else if let given = try await input.passphrase.read() {
            password = given
        } else {
            password = try await context.passphrase(PassphraseRequest(of: input.path.string))
        }
        work = try await context.blocking { _ in try Self.work(for: profile, context.folders) }
    }

    private static func work(for profile: DesktopProfile, _ folders: ValiseFolders) throws -> PrivateFolder {
        let places = PrivateFolder.places(folders)
        PrivateFolder.removeLeftovers(in: places)
        let fileSystem = FileSystem()
        let sizes = try ["", "-wal"].map { suffix in
            try fileSystem.attributes(of: profile.database.appendingSuffix(suffix))?.size ?? 0
        }
        // What is in the log comes into the copy too.
        let size = sizes.reduce(0) { $0 &+ $1 } &+ sizes[1]
        if let folder = try PrivateFolder.make(size: size, in: places) { return folder }
        let place = places.last ?? "/tmp"
        throw FileError(
            .noSpace, "not enough space for \(Count.bytes(size)) that have to be copied", place,
            remedy: .freeSpace(size, in: place))
    }

    /// Copies the database and opens it.
    /// - Throws: `SessionStoreError`: `wrongKey`, `inUse`, `damaged`, `newer`, `unsupported`; `FileError`; whatever `progress`
    ///   throws.
    func log(_ progress: ProgressHandler) throws -> SessionLog {
        var copied: Int64 = 0
        let store = try profile.open(password: password, in: work.path) { bytes in
            copied += bytes
            try progress(OperationProgress("copying the database", completed: copied, unit: .bytes))
        }
        return try SessionLog(store, now: .now, includesExpired: includesExpired, expired: expired)
    }

    /// What is told when all was read; nil for nothing.
    var note: ExpiredMessagesNote? { ExpiredMessagesNote(expired.count) }
}

extension DesktopProfile {
    /// With a shared password.
    fileprivate func open(
        password: SharedSecret?, in folder: FilePath, progress: (Int64) throws -> Void
    ) throws -> DesktopStore {
        guard let password else {
            return try open(password: nil, workFolder: folder, progress: progress)
        }
        return try unsafe open(
            password: password.bytes.withBytes { try unsafe SecretBytes(copying: $0) }, workFolder: folder,
            progress: progress)
    }
}

/// Messages were left out because they should have disappeared.
package struct ExpiredMessagesNote: OperationNote {
    package let count: Int64

    package var text: String { "left out \(Count.text(count, "expired message"))" }

    /// Nil where there are none.
    init?(_ count: Int64) {
        guard count > 0 else { return nil }
        self.count = count
    }
}
