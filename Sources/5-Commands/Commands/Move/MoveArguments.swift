public import ArgumentParser
public import Valise

extension SentNetworkConfig: ExpressibleByArgument {
    /// Parses an argument of the command line.
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
