public import ArgumentParser
public import Valise

/// A relay run by this command, for two machines of one user without a third party.
struct ServeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Serve the chunks from this machine, at an address that recipients can reach, until all of them have \
            confirmed receipt or you stop it. The official apps do not confirm: stop it with Control-C. Without a \
            port, any free port is used. An onion host needs --proxy, and the relay listens on 127.0.0.1.
            """, valueName: "host[:port]"))
    var serve: ServeAddress?

    var isAsked: Bool { serve != nil }

    var needsProxy: Bool { if case .onion = serve?.host { true } else { false } }
}

extension ServeAddress: ExpressibleByArgument {
    /// Parses an argument of the command line.
    public init?(argument: String) { self.init(argument) }
}
