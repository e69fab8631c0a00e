import SystemPackage
import ValiseConcurrency
import ValiseEncoding
import ValiseFiles
import ValiseSecrets
import ValiseSessionStore

/// A store of Session whose key was found: one state of it, which each thread can open for itself.
struct SessionAccess: Sendable {
    let place: SessionPlace
    let snapshot: SessionSnapshot
    /// The frames of a backup; nil for a folder.
    let backup: SessionBackup?
    /// For a private copy of the database, which the program may be changing. It goes with this.
    private let work: PrivateFolder?

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - place: of the store.
    ///   - secret: the password of a profile or a backup, or the key of a phone's database: 48 bytes in a file, or 96 hexadecimal
    ///     digits. The user is asked for it where it is needed and not given.
    ///   - purpose: what it is opened for, such as `list its conversations`.
    ///   - context: of the operation.
    /// - Throws: `SessionStoreError`: `wrongKey`, `inUse`, `damaged`, `newer`, `unsupported`, `invalid`; `FileError`: `noSpace`
    ///   where a copy has no space; as the source of the passphrase.
    init(
        _ place: SessionPlace, _ secret: PassphraseSource, to purpose: String, in context: OperationContext
    ) async throws {
        let context = context.asking(to: purpose)
        let work = try await context.blocking { _ in try Self.work(for: place, context.folders) }
        let needs = try await context.blocking { _ in try SessionSecret.needs(of: place) }
        let opening = SessionOpening(place: place, work: work?.path)
        let opened: SessionOpening.Opened
        if needs == .nothing {
            opened = try await context.blocking { try opening.open(nil, $0) }
        } else if let given = try await SessionSecret(secret, for: place) {
            opened = try await context.blocking { try opening.open(given, $0) }
        } else {
            opened = try await Self.asked(needs, opening, context)
        }
        self.place = place
        snapshot = opened.snapshot
        backup = opened.backup
        self.work = work
    }

    /// Asks again where an answer is wrong.
    private static func asked(
        _ needs: SessionSecret.Needs, _ opening: SessionOpening, _ context: OperationContext
    ) async throws -> SessionOpening.Opened {
        let name = opening.place.path.string
        let found = try await context.attempts(of: name, isOptional: false, wanted: needs.wanted) { answer in
            try await context.blocking { progress -> SessionOpening.Opened? in
                do {
                    return try opening.open(.typed(answer), progress)
                } catch let error as SessionStoreError where error.isOfKey {
                    return nil
                }
            }
        }
        guard let found else { throw OperationError.nobodyToAsk(for: name) }
        if let opened = found.opened { return opened }
        return try await context.blocking { try opening.open(.typed(found.key), $0) }
    }

    private static func work(for place: SessionPlace, _ folders: ValiseFolders) throws -> PrivateFolder? {
        guard let database = place.database else { return nil }
        let places = PrivateFolder.places(folders)
        PrivateFolder.removeLeftovers(in: places)
        let fileSystem = FileSystem()
        let sizes = try ["", "-wal"].map { suffix in
            try fileSystem.attributes(of: database.appendingSuffix(suffix))?.size ?? 0
        }
        // What is in the log comes into the copy too.
        let size = sizes.reduce(0) { $0 &+ $1 } &+ sizes[1]
        if let folder = try PrivateFolder.make(size: size, in: places) { return folder }
        let last = places.last ?? "/tmp"
        throw FileError(
            .noSpace, "not enough space for \(Count.bytes(size)) that have to be copied", last,
            remedy: .freeSpace(size, in: last))
    }
}

extension SessionStoreError {
    /// Whether another password or key may open it.
    var isOfKey: Bool { kind == .wrongKey || kind == .noKey || kind == .invalid }
}
