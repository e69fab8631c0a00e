package import ValiseXFTPWire

/// Sentences about relays that the user has not approved.
package enum RelayWords {
    /// Before something is received from them.
    package static func exposure(to relays: [XFTPAddress]) -> String {
        "Your network address will be visible to \(list(relays))."
    }

    /// The question before they are told that an account has arrived.
    package static func receipt(to relays: [XFTPAddress]) -> String {
        let (noun, pronoun) = relays.count == 1 ? ("relay", "It") : ("relays", "They")
        return "Tell the \(noun) \(list(relays)) that the account has arrived? "
            + "\(pronoun) will see your network address."
    }

    /// Why a job does not use them.
    package static func unapproved(_ relays: [XFTPAddress]) -> String {
        "relays that you have not approved would see your network address: \(list(relays))"
    }

    private static func list(_ relays: [XFTPAddress]) -> String {
        relays.map(\.text.withoutControls).joined(separator: ", ")
    }
}
