import ValiseFailures
package import ValiseSecrets
package import ValiseStorage

extension Repository {
    /// More key files than this are not tried: each takes half a second.
    static let mostKeys = 20

    /// Makes a repository.
    ///
    /// The key file is written before the configuration: what was killed between both is no repository, and its key file is
    /// removed by the next call. Not before the configuration is written, though: of two that make a repository at the same
    /// place at the same moment, one stores it, and only that one may remove the other one's key.
    ///
    /// - Parameters:
    ///   - store: where; nothing may be there.
    ///   - password: opens it; another one can be added later.
    ///   - parameters: see ``ScryptParameters/calibrated(to:measuring:)``.
    ///   - version: 1 or 2.
    /// - Throws: ``RepositoryError``: `exists`; `StorageError`; `SecretsError`.
    package static func create(
        in store: any BlobStore, password: borrowing SecretBytes, _ parameters: ScryptParameters,
        version: Int = 2
    ) throws -> Repository {
        guard try !store.has(.config) else {
            throw RepositoryError(.exists, "there is a repository already", store.location)
        }
        try store.create()
        guard try store.list(.snapshots).isEmpty, try store.list(.index).isEmpty else {
            throw RepositoryError(
                .damaged, "the configuration of a repository is missing. Its files are untouched.",
                store.location)
        }
        let leftovers = try store.list(.keys).map(\.id)
        let key = try MasterKey.random()
        let config = try RepositoryConfig.make(version: version)
        let file = try KeyFile.make(for: key, password: password, parameters).encode()
        let keyID = try ContentID(hashing: file)
        try store.put(.file(.keys, keyID), file)
        do {
            try store.put(.config, config.seal(key))
        } catch let error as StorageError where error.code == .alreadyExists {
            try? store.remove(.file(.keys, keyID))
            throw RepositoryError(.exists, "there is a repository already", store.location, cause: error)
        }
        // They open nothing here, so that nothing is lost where one stays.
        for id in leftovers { try? store.remove(.file(.keys, id)) }
        return Repository(store, config, keyID: keyID, key)
    }

    /// Opens a repository with any of its passwords.
    ///
    /// - Parameter hint: the key file to try first.
    /// - Throws: ``RepositoryError``: `missing` where none is, `wrongPassword`, `damaged`, `newer`; `StorageError`.
    package static func open(
        _ store: any BlobStore, password: borrowing SecretBytes, hint: ContentID? = nil
    ) throws -> Repository {
        let stored = try storedConfig(store)
        var names = try store.list(.keys).map(\.id)
        if let hint, let place = names.firstIndex(of: hint) { names.swapAt(0, place) }
        var problem: RepositoryError?
        var isWrong = false
        for id in names.prefix(mostKeys) {
            do {
                let key = try keyFile(id, store).unlock(password)
                return Repository(store, try RepositoryConfig.open(stored, key), keyID: id, key)
            } catch let error as RepositoryError where error.kind == .wrongPassword {
                isWrong = true
            } catch let error as RepositoryError {
                // Another file may be whole, and its password this one.
                problem = problem ?? error.naming(.file(.keys, id))
            } catch let error as StorageError where error.code == .notFound {
                // It was removed after the list was made.
            }
        }
        if let problem, !isWrong { throw problem }
        guard names.isEmpty else {
            throw RepositoryError(.wrongPassword, "wrong password", store.location, cause: problem)
        }
        throw RepositoryError(.damaged, "the repository has no key files", store.location)
    }

    /// Looks whether there is a repository, which takes no password.
    /// - Throws: ``RepositoryError``: `missing`; `StorageError`.
    package static func require(_ store: any BlobStore) throws { _ = try storedConfig(store) }

    private static func storedConfig(_ store: any BlobStore) throws -> [UInt8] {
        do {
            return try store.get(.config)
        } catch let error as StorageError where error.code == .notFound {
            throw RepositoryError(.missing, "there is no repository", store.location)
        }
    }

    /// A key file whose digest is its name.
    /// - Throws: ``RepositoryError``: `damaged`; `StorageError`.
    package static func keyFile(_ id: ContentID, _ store: any BlobStore) throws -> KeyFile {
        try twice {
            let bytes = try store.get(.file(.keys, id))
            guard try ContentID(hashing: bytes) == id else {
                throw RepositoryError(.damaged, "the content does not match its name", .file(.keys, id))
            }
            return try KeyFile(decoding: bytes)
        }
    }
}
