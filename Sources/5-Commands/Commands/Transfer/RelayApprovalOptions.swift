import ArgumentParser

/// Which relays may learn the user's network address.
struct RelayApprovalOptions: ParsableArguments {
    @Flag(help: "Use the relays that a link or description names without asking, whoever runs them.")
    var approveRelays = false

    @Flag(help: "Ask nothing: relays that are not in your list are refused.")
    var noInput = false
}
