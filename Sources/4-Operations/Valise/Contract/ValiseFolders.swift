public import SystemPackage

/// Where a user's own things are, and what of his session can be asked. Nil for a place that is not known: what needs it says
/// so.
public struct ValiseFolders: Sendable {
    /// What the user owns, such as keys.
    package var data: FilePath?
    /// What a later run needs, such as jobs and the journals of transfers.
    package var state: FilePath?
    /// What the user decided, such as which relays he uses.
    package var configuration: FilePath?
    /// Where large temporary files may be.
    public var temporary: FilePath?
    /// Whether the session has a bus on which a keyring can be asked.
    public var hasSessionBus = false
    /// Whether a keyring can show a dialog.
    public var hasScreen = false

    /// - Parameters:
    ///   - data: what the user owns, such as keys.
    ///   - state: what a later run needs.
    ///   - configuration: what the user decided.
    public init(data: FilePath? = nil, state: FilePath? = nil, configuration: FilePath? = nil) {
        self.data = data
        self.state = state
        self.configuration = configuration
    }
}
