import ArgumentParser

/// Which relays may learn the user's network address.
struct RelayApprovalOptions: ParsableArguments {
    @Flag(help: "Use all relays that a link or description names, without asking.")
    var approveRelays = false

    @OptionGroup var input: InputOptions
}
