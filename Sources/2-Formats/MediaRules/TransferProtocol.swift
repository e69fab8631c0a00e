/// How a file leaves its chat, in the words that databases use for it.
package enum TransferProtocol: String, Sendable, Codable, CaseIterable {
    /// Encrypted chunks on relays.
    case xftp
    /// Inside of messages: the older way.
    case smp
    /// Not at all: the file belongs to the private notes.
    case local
}
