package import SystemPackage
package import ValiseXFTPWire

/// How an account is sent.
package struct SendOptions: Sendable {
    /// Where its archive goes.
    package enum Destination: Sendable {
        /// Onto these, in turn. At least one.
        case relays([RelayAccess])
        /// Into a file that must not be there yet, such as on a stick.
        /// - Parameter packs: whether entries are packed, which takes longer; else they are stored.
        case file(FilePath, packs: Bool)
    }

    package var destination: Destination
    /// The relays as the user named them, where he did.
    package var namedRelays: NamedRelays?
    /// Whether the network configuration that an app has saved travels in the link, for the app on the other machine.
    package var includesNetworkConfig = true
    /// Travels in the link instead of what an app has saved; nil for that.
    package var networkConfig: NetworkConfig?
    /// Whether a passphrase of the form that apps make by chance is taken, because a user knows it all the same.
    package var acceptsRandomPassphrase = false

    package init(_ destination: Destination) {
        self.destination = destination
    }
}

/// Relays as a user named them, so that a later run uses the same.
package struct NamedRelays: Sendable, Equatable, Codable {
    /// Addresses, without passwords.
    package let addresses: [String]
    /// A file with addresses, which may have passwords.
    package let file: String?

    /// - Returns: nil for none.
    package init?(_ addresses: [String], file: String?) {
        guard !addresses.isEmpty || file != nil else { return nil }
        self.addresses = addresses
        self.file = file
    }
}
