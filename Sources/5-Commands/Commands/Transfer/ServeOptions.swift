public import ArgumentParser
public import Valise

/// A relay of this program, for two machines of one user that need no third party.
struct ServeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Be the relay: keep the chunks here, under the address by which the others reach this machine, until all \
            have told that they received them or you stop it. The official apps do not tell: end it with Control-C \
            then. Without a port any free one is taken. An onion host needs \
            --proxy, and 127.0.0.1 is listened on.
            """, valueName: "host[:port]"))
    var serve: ServeAddress?

    var isAsked: Bool { serve != nil }

    var needsProxy: Bool { if case .onion = serve?.host { true } else { false } }
}

extension ServeAddress: ExpressibleByArgument {
    /// Parses an argument of the command line.
    public init?(argument: String) { self.init(argument) }
}
