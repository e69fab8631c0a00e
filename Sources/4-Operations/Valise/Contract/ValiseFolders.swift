public import SystemPackage

/// The user's folders, and what the session offers. Nil for an unknown folder; operations that need it fail.
public struct ValiseFolders: Sendable {
    /// What the user owns, such as keys.
    package var data: FilePath?
    /// What a later run needs, such as jobs and the journals of transfers.
    package var state: FilePath?
    /// What the user decided, such as which relays he uses.
    package var configuration: FilePath?
    /// The folder for large temporary files.
    public var temporary: FilePath?
    /// Whether the session has a D-Bus on which a keyring can be reached.
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

extension ValiseFolders {
    /// The key store in files. It is among the user's data, not the configuration: that is what people keep in public
    /// repositories.
    var keys: FilePath? { data?.appending("keys") }
    /// The user's own list of relays.
    var relayList: FilePath? { configuration?.appending("relays") }
}
