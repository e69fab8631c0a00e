public import ValiseFailures

extension Remedy.Account {
    /// The account at a location.
    public init(_ location: AccountLocation) {
        self.init(directory: location.directory, prefix: location.prefix)
    }
}
