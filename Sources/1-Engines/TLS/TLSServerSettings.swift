/// How a server answers. Make it once: all connections share what OpenSSL needs.
package struct TLSServerSettings: Sendable {
    let context: TLSContext

    /// - Parameters:
    ///   - identity: shown to native clients, which send no server name: leaf and identity certificate.
    ///   - webIdentity: shown to whoever sends any server name, with the wider choice of suites that browsers need;
    ///     nil ignores the name.
    ///   - alpn: the protocols spoken. The first of the client's list that is among them is taken; a client that offers
    ///     none is let in, one that offers only others is not.
    ///   - groups: the key exchanges for native clients, the preferred first.
    /// - Throws: ``TLSError``: `failed` when OpenSSL does not take the certificates or keys.
    package init(
        identity: TLSIdentity, webIdentity: TLSIdentity? = nil,
        alpn: [String] = ["xftp/1", "h2", "http/1.1"], groups: [TLSGroup] = [.x448, .x25519]
    ) throws(TLSError) {
        let webContext: TLSContext? =
            if let webIdentity {
                try TLSContext(server: webIdentity, profile: .web, alpn: alpn, web: nil)
            } else { nil }
        context = try TLSContext(server: identity, profile: .native(groups), alpn: alpn, web: webContext)
    }
}
