package import ValiseMoves

/// Which network settings go along: what the app has saved, nothing, or JSON of the official form.
public enum SentNetworkConfig: Codable, Equatable, Sendable {
    case app, none
    case given(String)

    /// - Returns: nil for what is neither `app`, `none` nor such JSON.
    public init?(_ text: String) {
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
    case yesUp, error
}

/// What becomes of network settings.
public enum ReceivedNetworkConfig: String, CaseIterable, Codable, Sendable {
    case take, leave
}
