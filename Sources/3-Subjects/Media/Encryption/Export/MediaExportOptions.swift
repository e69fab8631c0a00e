/// What is exported, and how.
public struct MediaExportOptions: Sendable {
    /// Which files.
    public var selection = MediaSelection()
    /// Whether to include files that the database refers to by an absolute path outside the account.
    public var includesOutside = false
    /// Whether to only show what would be done.
    package var isDryRun = false

    /// All media inside the account.
    public init() {}
}
