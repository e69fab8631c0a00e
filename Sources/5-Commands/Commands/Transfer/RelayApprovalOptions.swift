import ArgumentParser

/// Which relays may learn the user's network address.
struct RelayApprovalOptions: ParsableArguments {
    @Flag(help: "Use all relays that a link or description names, without asking.")
    var approveRelays = false

    @Flag(help: "Never ask; refuse relays that are not in your list.")
    var noInput = false
}
