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
    ///   - reading: how it is read.
    ///   - context: of the operation.
    /// - Throws: `SessionStoreError`: `wrongKey`, `inUse`, `damaged`, `newer`, `unsupported`, `invalid`; `FileError`: `noSpace`
    ///   where a copy has no space; as the source of the passphrase.
    init(
        _ place: SessionPlace, _ secret: PassphraseSource, to purpose: String,
        reading: SessionReading = .inOrder,
        in context: OperationContext
    ) async throws {
        let context = context.asking(to: purpose)
        let work = try await context.blocking { _ in
            try Self.work(for: place, context.folders, reading)
        }
        let opening = SessionOpening(place: place, work: work?.path, reading: reading)
        let opened = try await SessionSecret.trying(secret, on: place, in: context) {
            try opening.open($0, context.told)
        }
        self.place = place
        snapshot = opened.snapshot
        backup = opened.backup
        self.work = work
    }

    /// For the copy of a database, with the log that is merged into it; nil where none is copied.
    /// - Throws: `FileError`: `noSpace`.
    static func work(
        for place: SessionPlace, _ folders: ValiseFolders, _ reading: SessionReading = .inOrder
    ) throws -> PrivateFolder? {
        guard let database = place.database else {
            guard reading.copiesBackup else { return nil }
            return try PrivateFolder.forCopy(
                of: place.path, isCopied: false, in: PrivateFolder.places(folders))
        }
        // Such a one is read where it is, unless a program begins to write to it in the meantime.
        let isCopied =
            switch place {
            case .phone(let container): try !container.isComplete()
            case .desktop(let profile): try !(reading.staysInPlace && profile.isSettled())
            case .backup: true
            }
        return try PrivateFolder.forCopy(of: database, isCopied: isCopied, in: PrivateFolder.places(folders))
    }
}

extension SessionStoreError {
    /// Whether another password or key may open it.
    var isOfKey: Bool { kind == .wrongKey || kind == .noKey || kind == .invalid }
}
