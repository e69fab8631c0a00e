public import SystemPackage
import ValiseContentStore
import ValiseEncoding
public import ValiseSecrets

/// Where a store is that an app offers as a file provider, and what opens it.
public struct StoreProviderSettings: Sendable {
    /// What opens encrypted files.
    public enum Key: Sendable {
        /// Nothing: the store is not encrypted.
        case none
        /// The master key: 32 bytes, or 64 hexadecimal digits.
        case master(SharedSecret)
        /// A passphrase with the text that is configured as its salt, of which the first 16 bytes count: as apps of tcfs read it.
        case passphrase(SharedSecret, salt: String)
        /// 24 words with blanks between them.
        case recoveryPhrase(SharedSecret)
    }

    let store: String
    let device: String
    let stateFolder: FilePath
    /// What opens encrypted files.
    public var key = Key.none
    /// The access key of an S3 server; nil for a folder.
    public var accessKey: String?
    /// What the access key is proved by.
    public var secretKey: SharedSecret?
    /// For an access key that lasts for a time.
    public var sessionToken: SharedSecret?
    /// Of the bucket; nil for `us-east-1`.
    public var region: String?

    /// - Parameters:
    ///   - store: a folder, `s3:https://HOST/BUCKET/PREFIX`, or `seaweedfs://HOST:PORT/BUCKET/PREFIX`.
    ///   - device: the name of this device in what is written.
    ///   - stateFolder: a folder of the provider's own, for anchors. App and extension share it.
    public init(store: String, device: String, stateFolder: FilePath) {
        self.store = store
        self.device = device
        self.stateFolder = stateFolder
    }

    var access: StorageAccess {
        var access = StorageAccess()
        access.accessKey = accessKey
        access.secretKey = secretKey
        access.sessionToken = sessionToken
        access.region = region
        return access
    }

    /// - Throws: `ContentStoreError`: `invalid` for what is no key or no phrase; `CryptographyError`; `SecretsError`.
    func keys() throws -> StoreKeys {
        switch key {
        case .none: return .none
        case .master(let secret):
            guard let key = try StoreKey(decoding: secret.bytes) else {
                throw ContentStoreError(
                    .invalid, "the key of the store has neither 32 bytes nor 64 hexadecimal digits")
            }
            return StoreKeys(master: key)
        case .passphrase(let secret, let salt):
            return StoreKeys(master: try StoreKey.derived(passphrase: secret.bytes, salt: .text(salt)))
        case .recoveryPhrase(let secret):
            return StoreKeys(master: try StoreKey.derived(phrase: RecoveryPhrase(secret.bytes)))
        }
    }
}
