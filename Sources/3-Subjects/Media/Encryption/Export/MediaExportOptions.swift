/// What is exported, and how.
public struct MediaExportOptions: Sendable {
    /// Which files.
    public var selection = MediaSelection()
    /// Also those that the database has by an absolute path outside of the account.
    public var includesOutside = false
    /// Only tell what would be done.
    public var isDryRun = false

    /// All media inside of the account.
    public init() {}
}
