import ArgumentParser
import ValiseMoves

/// Which network settings go along: what the app has saved, nothing, or JSON of the official form.
enum SentNetworkConfig: ExpressibleByArgument, Codable, Equatable {
    case app, none
    case given(String)

    init?(argument: String) {
        switch argument {
        case "app": self = .app
        case "none": self = .none
        default:
            self = .given(argument)
            guard given != nil else { return nil }
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .app: "app"
        case .none: "none"
        case .given(let json): json
        }
    }

    /// Those of the command line.
    var given: NetworkConfig? {
        guard case .given(let json) = self else { return nil }
        let text = #"{"networkConfig":\#(json)}"#
        return (try? MigrationFileLinkData(json: text))?.networkConfig
    }
}
