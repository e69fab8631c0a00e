public import ArgumentParser
public import Valise

extension SentNetworkConfig: ExpressibleByArgument {
    /// Parses a command-line argument.
    public init?(argument: String) { self.init(argument) }

    public var defaultValueDescription: String {
        switch self {
        case .app: "app"
        case .none: "none"
        case .given(let json): json
        }
    }
}

extension SchemaConfirmation: ExpressibleByArgument {}

extension ReceivedNetworkConfig: ExpressibleByArgument {}
