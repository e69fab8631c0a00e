import ValiseConcurrency
import ValiseContentStore
import ValiseCryptography
import ValiseFailures
import ValiseSecrets

/// Tries keys on the encrypted files of a store, and says which one opens them. Nothing is fetched but manifests, and nothing is
/// written.
package struct UnlockStore: Operation {
    package var store: StoreInput
    /// A salt of which nobody knows how it is read: it is tried as digits and as text, and says which. Then the passphrase comes from
    /// `secret`, and the keys of the store are those besides.
    package var unknownSalt: String?
    /// The passphrase for an unknown salt; nil where the user is asked.
    package var secret: PassphraseSource.Given?
    /// How many encrypted files are tried.
    package var most = 100

    package init(_ store: StoreInput) { self.store = store }

    /// - Throws: `ContentStoreError`: `missing` where nothing in the store is encrypted, `invalid` for keys that are none;
    ///   `StorageError`.
    package func run(in context: OperationContext) async throws -> UnlockedStore {
        let opened = try await store.open(in: context)
        let candidates = try await candidates(opened.keys, in: context)
        return try await context.blocking { progress in
            var report = UnlockedStore(place: store.address.absoluteText, candidates.map(\.kind))
            try opened.list(isRecursive: true) { listed in
                try progress(
                    OperationProgress("trying keys", completed: Int64(report.encrypted), unit: .items))
                guard case .entry(let path, _) = listed, let file = try Self.encryptedFile(path, opened)
                else { return true }
                for (number, candidate) in candidates.enumerated() {
                    if try Self.opens(file, candidate.keys) { report.count(number) }
                }
                report.encrypted += 1
                return report.encrypted < most
            }
            guard report.encrypted > 0 else {
                throw ContentStoreError(
                    .missing, "no file of the store is encrypted, or none can be read", store.address.text)
            }
            return report
        }
    }

    /// Keys to try.
    private struct Candidate: Sendable {
        /// What they are called.
        let kind: UnlockedStore.Key
        let keys: StoreKeys
    }

    private func candidates(
        _ keys: StoreKeys, in context: OperationContext
    ) async throws -> [Candidate] {
        var found: [Candidate] = []
        if let master = keys.master {
            found.append(Candidate(kind: store.keys.kind, keys: StoreKeys(master: master)))
        }
        if let identity = keys.identity {
            let keys = StoreKeys(master: nil, identity: identity, device: keys.device)
            found.append(Candidate(kind: .identity, keys: keys))
        }
        guard let unknownSalt else { return found }
        let secret = try await StoreKeySource.secret(
            secret, store.address.text, .storePassphrase, context)
        let tried: [Candidate] = try await context.blocking { progress in
            try Self.forms(of: unknownSalt).map { kind, salt in
                try progress(OperationProgress("deriving keys"))
                let master = try StoreKey.derived(passphrase: secret.bytes, salt: salt)
                return Candidate(kind: kind, keys: StoreKeys(master: master))
            }
        }
        return found + tried
    }

    private static func forms(of salt: String) -> [(UnlockedStore.Key, SaltForm)] {
        let digits = SaltForm.hex(salt)
        let hex: [(UnlockedStore.Key, SaltForm)] = (try? digits.bytes()) == nil ? [] : [(.saltHex, digits)]
        return hex + [(.saltText, .text(salt))]
    }

    /// Nil for what is not encrypted, and for what cannot be read.
    private static func encryptedFile(_ path: StorePath, _ store: ContentStore) throws -> FileManifest? {
        do {
            guard case .file(let file)? = try store.content(of: path).item?.content, file.isEncrypted else {
                return nil
            }
            return file
        } catch let error as ContentStoreError where error.isOfObject {
            return nil
        }
    }

    private static func opens(_ file: FileManifest, _ keys: StoreKeys) throws -> Bool {
        do {
            return try keys.key(of: file) != nil
        } catch let error as ContentStoreError where error.isOfObject {
            return false
        }
    }
}

extension StoreKeySource {
    /// What the master key is made of.
    fileprivate var kind: UnlockedStore.Key {
        switch master {
        case .passphrase(_, .hex)?: .saltHex
        case .passphrase(_, .text)?: .saltText
        case .recoveryPhrase?: .recoveryPhrase
        case .file?, nil: .file
        }
    }
}

/// Which keys open the encrypted files of a store.
package struct UnlockedStore: OperationReport {
    /// Where a key comes from.
    package enum Key: String, Sendable, Encodable {
        case file
        /// A passphrase, with the salt as hexadecimal digits.
        case saltHex
        /// A passphrase, with the salt as text.
        case saltText
        case recoveryPhrase
        /// The private key of a device.
        case identity
    }

    /// A key that was tried.
    package struct Trial: Sendable, Encodable, Equatable {
        package let key: Key
        /// How many of the files it opens.
        package fileprivate(set) var opened = 0
    }

    /// Where it is; folders as absolute paths.
    package let place: String
    /// Encrypted files that were tried.
    package internal(set) var encrypted = 0
    package private(set) var trials: [Trial]

    init(place: String, _ keys: [Key]) {
        self.place = place
        trials = keys.map { Trial(key: $0) }
    }

    mutating func count(_ number: Int) { trials[number].opened += 1 }

    /// Whether some key opens all of the files.
    package var isUnlocked: Bool { trials.contains { $0.opened == encrypted } }

    private enum CodingKeys: CodingKey { case place, encrypted, trials, isUnlocked }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(place, forKey: .place)
        try container.encode(encrypted, forKey: .encrypted)
        try container.encode(trials, forKey: .trials)
        try container.encode(isUnlocked, forKey: .isUnlocked)
    }
}
