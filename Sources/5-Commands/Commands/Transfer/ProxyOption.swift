public import ArgumentParser
public import Valise

/// How relays are reached: for every command that uses the network.
struct ProxyOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Reach relays through this SOCKS5 proxy, such as Tor's 127.0.0.1:9050. Names are resolved by it.",
            valueName: "host:port"))
    var proxy: ProxyAddress?
}

extension ProxyAddress: ExpressibleByArgument {
    /// Parses an argument of the command line.
    public init?(argument: String) { self.init(argument) }
}
