import ValiseFailures

/// The keys that a user has of a store: its master key, the identity of a device, or both.
package struct StoreKeys: Sendable {
    package let master: StoreKey?
    package let identity: AgeIdentity?
    /// Which device the identity belongs to; nil to try all wrapped keys.
    package let device: String?

    /// Those of a user without any, which reads unencrypted files.
    package static let none = StoreKeys(master: nil)

    package init(master: StoreKey?, identity: AgeIdentity? = nil, device: String? = nil) {
        self.master = master
        self.identity = identity
        self.device = device
    }

    /// The key of a file: from what is wrapped for the device, else by the master key.
    ///
    /// - Returns: nil for a file that is not encrypted.
    /// - Throws: ``ContentStoreError``: `noKey` where none of the keys is one that the file was encrypted for, `wrongKey` and
    ///   `damaged` where one is and does not open it; `CryptographyError`; `SecretsError`.
    package func key(of file: FileManifest) throws -> ContentKey? {
        guard file.isEncrypted else { return nil }
        var failure: (any Error)?
        do {
            if let key = try deviceKey(of: file) { return key }
        } catch {
            failure = error
        }
        if let master, let wrapped = file.wrappedKey {
            return try ContentKey(unwrapping: wrapped, with: master)
        }
        throw failure
            ?? ContentStoreError(
                .noKey, "the file is encrypted, and there is no key that it was encrypted for",
                file.path, remedy: .giveStoreKey)
    }

    /// Nil where nothing is wrapped for the device.
    private func deviceKey(of file: FileManifest) throws -> ContentKey? {
        guard let identity else { return nil }
        let candidates = file.deviceKeys.filter {
            $0.algorithm == AgeEnvelope.algorithm && (device == nil || $0.device == device)
        }
        var failure: (any Error)?
        for candidate in candidates {
            do {
                return try AgeEnvelope.open(candidate.wrapped, with: identity)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return nil
    }
}
