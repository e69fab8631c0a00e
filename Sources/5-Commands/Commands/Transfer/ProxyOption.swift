public import ArgumentParser
public import Valise

/// The proxy option of every command that uses the network.
struct ProxyOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Connect to relays through this SOCKS5 proxy, such as Tor at 127.0.0.1:9050. The proxy resolves names.",
            valueName: "host:port"))
    var proxy: ProxyAddress?
}

extension ProxyAddress: ExpressibleByArgument {
    /// Parses an argument of the command line.
    public init?(argument: String) { self.init(argument) }
}
