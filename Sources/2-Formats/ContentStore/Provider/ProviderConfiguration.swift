package import SystemPackage
package import ValiseFiles
package import ValiseStorage

/// What a ``StoreProvider`` works with.
package struct ProviderConfiguration: Sendable {
    /// Where the store lies.
    package var objects: any ObjectStore
    /// Of its keys.
    package var prefix: String
    /// The name of this device in clocks and manifests.
    package var device: String
    /// ``StoreKeys/none`` for a store without encryption. A passphrase becomes a key by
    /// ``StoreKey/derived(passphrase:salt:)`` with ``SaltForm/text(_:)``, as the provider of tcfs does it.
    package var keys = StoreKeys.none
    package var rules = StoreRules()
    package var style = StoreWriter.Style.portable
    package var upload = StoreUploadOptions()
    /// A folder of the provider's own, for anchors.
    package var stateFolder: FilePath
    package var fileSystem = FileSystem()
    /// Seconds since 1970.
    package var now: @Sendable () -> Int64

    package init(
        _ objects: any ObjectStore, prefix: String, device: String, stateFolder: FilePath,
        now: @escaping @Sendable () -> Int64
    ) {
        self.objects = objects
        self.prefix = prefix
        self.device = device
        self.stateFolder = stateFolder
        self.now = now
    }
}
