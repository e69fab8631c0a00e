import ValiseFailures
package import ValiseSecrets
package import ValiseStorage

/// Passwords of an open repository: each has a key file, and all open the same master key.
extension Repository {
    /// The names of the key files, in their order.
    /// - Throws: `StorageError`.
    package func keyIDs() throws -> [ContentID] { try store.list(.keys).map(\.id) }

    /// Whose name and time of a key file is, whose digest is verified.
    /// - Throws: ``RepositoryError``: `damaged`, `unsupported`; `StorageError`.
    package func keyFile(_ id: ContentID) throws -> KeyFile { try Self.keyFile(id, store) }

    /// Adds a password, and opens its key file once more from the store. One that does not open is removed: it would be a promise
    /// that nobody can keep.
    ///
    /// - Parameters:
    ///   - password: opens the repository from now on, beside the others.
    ///   - parameters: see ``ScryptParameters/calibrated(to:measuring:)``.
    ///   - username: of the key file, which is not encrypted.
    ///   - hostname: likewise.
    ///   - willStore: is told the name of the key file before it is stored.
    /// - Returns: the name of its key file.
    /// - Throws: ``RepositoryError``; `StorageError`; `SecretsError`; whatever `willStore` throws.
    @discardableResult
    package func addPassword(
        _ password: borrowing SecretBytes, _ parameters: ScryptParameters,
        username: String = KeyFile.neutralUser, hostname: String = KeyFile.neutralHost,
        willStore: (ContentID) throws -> Void = { _ in }
    ) throws -> ContentID {
        let file = try KeyFile.make(
            for: key, password: password, parameters, username: username, hostname: hostname
        ).encode()
        let id = try ContentID(hashing: file)
        try willStore(id)
        do {
            try store.put(.file(.keys, id), file)
            guard try opens(id, password) else {
                throw RepositoryError(
                    .damaged, "the new key file does not open the repository", .file(.keys, id))
            }
        } catch {
            // Also after a failure to store it: the answer may have been lost, and not the file.
            try? store.remove(.file(.keys, id))
            // Whoever is stopped may not have been able to do that.
            if error is Interruption {
                throw Interruption(state: "The new password may open the repository; the others do.")
            }
            throw error
        }
        return id
    }

    /// The key file that a password opens; nil for none. The one that opened the repository is tried first.
    ///
    /// - Parameter progress: is called before each, which takes half a second; throw to stop.
    /// - Throws: `StorageError`; `SecretsError`; whatever `progress` throws.
    package func key(
        openedBy password: borrowing SecretBytes, progress: () throws -> Void = {}
    ) throws -> ContentID? {
        for id in [keyID] + (try keyIDs().filter { $0 != keyID }).prefix(Self.mostKeys - 1) {
            try progress()
            do {
                if try opens(id, password) { return id }
            } catch let error as RepositoryError where [.damaged, .unsupported].contains(error.kind) {
                // A damaged one opens nothing.
            } catch let error as StorageError where error.code == .notFound {
                // It was removed after the list was made.
            }
        }
        return nil
    }

    private func opens(_ id: ContentID, _ password: borrowing SecretBytes) throws -> Bool {
        do {
            return try keyFile(id).unlock(password).equals(key)
        } catch let error as RepositoryError where error.kind == .wrongPassword {
            return false
        }
    }

    /// Removes a password. Who knew it may know the master key as well, which stays the same.
    ///
    /// - Parameters:
    ///   - id: its key file.
    ///   - other: a key file that stays. It is looked at before: another program may have removed it since the repository was
    ///     opened, and the last key would be lost. Nil for the one that opened the repository.
    /// - Throws: ``RepositoryError``: `invalid` for the one that opened the repository, or that stays; `missing` where the one that
    ///   stays is gone; `damaged`; `StorageError`.
    package func removePassword(_ id: ContentID, keeping other: ContentID? = nil) throws {
        let kept = other ?? keyID
        guard id != kept else {
            throw RepositoryError(
                .invalid, "this key opened the repository. It was not removed.", id.description)
        }
        do {
            _ = try keyFile(kept)
        } catch let error as StorageError where error.code == .notFound {
            throw RepositoryError(
                .missing, "the key that has to stay was removed meanwhile. No other one was removed.",
                .file(.keys, kept), cause: error)
        }
        try store.remove(.file(.keys, id))
    }
}
