public import ValiseContentStore
import ValiseEncoding
import ValiseFailures
import ValiseRepository
import ValiseStorage

extension StoreProvider {
    /// Opens a store for an app, and finds out whether it is reached. It blocks.
    ///
    /// What fails for a moment is tried again, with pauses.
    ///
    /// - Parameter settings: where the store is, and what opens it.
    /// - Throws: `ProviderError`
    public convenience init(_ settings: StoreProviderSettings) throws {
        let configuration = try ProviderError.naming {
            let address = try StoreAddress(settings.store)
            let objects = try address.objects(settings.access, TransferLimits())
            var configuration = ProviderConfiguration(
                objects, prefix: address.layout.prefix, device: settings.device,
                stateFolder: settings.stateFolder, now: UTCTime.clock)
            configuration.keys = try settings.keys()
            return configuration
        }
        try self.init(configuration)
    }
}
