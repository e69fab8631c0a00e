/// What is exported, and how.
public struct MediaExportOptions: Sendable {
    /// Which files.
    package var selection: MediaSelection
    /// Whether to include files that the database refers to by an absolute path outside the account.
    package var includesOutside: Bool
    /// Whether to only show what would be done.
    package var isDryRun = false

    /// Without parameters, all media inside the account.
    ///
    /// - Parameters:
    ///   - selection: which files.
    ///   - includesOutside: whether to include files that the database refers to by an absolute path outside the account.
    public init(selection: MediaSelection = MediaSelection(), includesOutside: Bool = false) {
        self.selection = selection
        self.includesOutside = includesOutside
    }
}
