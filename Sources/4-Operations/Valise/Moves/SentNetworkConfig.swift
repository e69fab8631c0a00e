package import ValiseMoves

/// The network settings to include: those saved by the app, none, or JSON in the official format.
public enum SentNetworkConfig: Codable, Equatable, Sendable {
    /// Those of the app, or none.
    case app, none
    /// These, as JSON.
    case given(String)

    /// - Returns: nil if it is neither `app`, `none` nor such JSON.
    package init?(_ text: String) {
        switch text {
        case "app": self = .app
        case "none": self = .none
        default:
            self = .given(text)
            guard given != nil else { return nil }
        }
    }

    /// Those that were given.
    package var given: NetworkConfig? {
        guard case .given(let json) = self else { return nil }
        let text = #"{"networkConfig":\#(json)}"#
        return (try? MigrationFileLinkData(json: text))?.networkConfig
    }
}

/// Whether a schema is migrated.
public enum SchemaConfirmation: String, CaseIterable, Codable, Sendable {
    /// Migrate where it is an upgrade; refuse any migration.
    case yesUp, error
}

/// Whether received network settings are applied.
public enum ReceivedNetworkConfig: String, CaseIterable, Codable, Sendable {
    /// Take the settings of the sender; keep those of this machine.
    case take, leave
}
