import SystemPackage
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// The stores that are merged, opened, in an order that does not depend on that in which they were given.
struct MergedAccess: Sendable {
    let stores: [SessionAccess]

    /// - Parameters:
    ///   - paths: of the stores.
    ///   - secrets: each is tried on every store that needs one; where none opens it, the user is asked.
    ///   - purpose: what they are opened for.
    ///   - context: of the operation.
    /// - Throws: ``OperationError``: `invalid` for a store that is there twice; as ``SessionPlace/require(_:)`` and
    ///   ``SessionAccess``.
    init(
        _ paths: [FilePath], _ secrets: [PassphraseSource], to purpose: String, in context: OperationContext
    ) async throws {
        let places = try await context.blocking { _ in
            let places = try paths.map { try SessionPlace.require($0) }
            try Self.refuseRepeated(places)
            return places.sorted { Self.order($0) < Self.order($1) }
        }
        let secrets = try await Self.readOnce(secrets)
        var stores: [SessionAccess] = []
        for place in places { stores.append(try await Self.open(place, secrets, to: purpose, in: context)) }
        self.stores = stores
    }

    private static func order(_ place: SessionPlace) -> (String, String, String) {
        (place.kind.rawValue, place.path.lastComponent?.string ?? "", place.path.string)
    }

    /// All of its messages would seem to be on two devices.
    private static func refuseRepeated(_ places: [SessionPlace]) throws {
        var known: Set<FilePath> = []
        for place in places {
            guard try known.insert(FileSystem().resolve(place.path)).inserted else {
                throw OperationError(
                    .invalid, "the same store is there twice. Nothing was written.",
                    subject: place.path.string)
            }
        }
    }

    private static func readOnce(_ secrets: [PassphraseSource]) async throws -> [PassphraseSource] {
        var read: [PassphraseSource] = []
        for secret in secrets where secret.given != nil { read.append(try await secret.readOnce()) }
        return read
    }

    private static func open(
        _ place: SessionPlace, _ secrets: [PassphraseSource], to purpose: String,
        in context: OperationContext
    ) async throws -> SessionAccess {
        var wrong: (any Failure)?
        for secret in secrets {
            do {
                return try await SessionAccess(place, secret, to: purpose, in: context)
            } catch let error as any Failure
                where error.code == .wrongPassphrase || error.code == .invalid
            {
                // A key is no password of another store, and a password no key.
                if wrong?.code != .wrongPassphrase { wrong = error }
            }
        }
        do {
            return try await SessionAccess(place, PassphraseSource(), to: purpose, in: context)
        } catch let error as OperationError where error.code == .invalid {
            // Nobody can be asked: what was given is wrong.
            throw wrong ?? error
        }
    }

    /// Opens them as one, for the calling thread.
    /// - Throws: `SessionStoreError`: `invalid` for stores of different accounts; as they are opened.
    func merged() throws -> MergedStore {
        try MergedStore(
            stores.map { access in
                MergedStore.Part(try access.snapshot.open(), name: access.place.path.string)
            })
    }
}
