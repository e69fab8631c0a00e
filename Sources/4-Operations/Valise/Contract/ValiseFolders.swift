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
    package var temporary: FilePath?
    /// Whether the session has a D-Bus on which a keyring can be reached.
    package var hasSessionBus: Bool
    /// Whether a keyring can show a dialog.
    package var hasScreen: Bool

    /// - Parameters:
    ///   - data: what the user owns, such as keys.
    ///   - state: what a later run needs.
    ///   - configuration: what the user decided.
    ///   - temporary: the folder for large temporary files; nil for that of the system.
    ///   - hasSessionBus: whether the session has a D-Bus on which a keyring can be reached.
    ///   - hasScreen: whether a keyring can show a dialog.
    public init(
        data: FilePath? = nil, state: FilePath? = nil, configuration: FilePath? = nil,
        temporary: FilePath? = nil, hasSessionBus: Bool = false, hasScreen: Bool = false
    ) {
        self.data = data
        self.state = state
        self.configuration = configuration
        self.temporary = temporary
        self.hasSessionBus = hasSessionBus
        self.hasScreen = hasScreen
    }
}

extension ValiseFolders {
    /// The key store in files. It is among the user's data, not the configuration: that is what people keep in public
    /// repositories.
    var keys: FilePath? { data?.appending("keys") }
    /// The user's own list of relays.
    var relayList: FilePath? { configuration?.appending("relays") }
}
