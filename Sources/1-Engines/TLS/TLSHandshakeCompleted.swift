/// TLS is set up. The handler fires this as a user event through its pipeline, before the first bytes.
package struct TLSHandshakeCompleted: Sendable, Equatable {
    /// The protocol agreed on; nil when the client offered none.
    package let alpn: String?

    /// What binds XFTP to this connection: the verify data of the client's Finished message. 32 bytes with the suite of
    /// XFTP; 48 with another of TLS 1.3, 12 under TLS 1.2.
    package let sessionID: [UInt8]

    /// The peer's certificates in DER, its own first; empty on a server.
    package let peerChain: [[UInt8]]

    /// Whether the client sent a server name and was shown the web identity. False on a client.
    package let usedServerName: Bool
}
