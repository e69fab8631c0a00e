import ArgumentParser

/// Which relays may learn the user's network address.
struct RelayApprovalOptions: ParsableArguments {
    @Flag(help: "Use all relays that a link or description names, without asking.")
    var approveRelays = false

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var input: InputOptions

    /// Nothing else is asked, so `--yes` means them.
    var isGiven: Bool { approveRelays || consent.yes }
}
