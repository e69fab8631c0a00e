import CValiseOpenSSL
import ValiseCryptography

/// What connections share in OpenSSL: algorithms, certificates, callbacks.
@safe final class TLSContext: Sendable {
    /// Written while it is made, then only read; OpenSSL locks what it counts.
    nonisolated(unsafe) let handle: OpaquePointer

    /// The protocols that a server speaks.
    let alpn: [[UInt8]]

    /// What a server goes over to when the client sends a server name.
    let web: TLSContext?

    /// The one for all clients: what differs between them is set for each connection.
    static let client = Result { () throws(TLSError) in try TLSContext(client: ()) }

    private init(method: OpaquePointer?, alpn: [[UInt8]], web: TLSContext?) throws(TLSError) {
        OpenSSLError.clear()
        guard let handle = unsafe SSL_CTX_new(method) else { throw .library("initialize") }
        unsafe self.handle = unsafe handle
        self.alpn = alpn
        self.web = web
        unsafe SSL_CTX_set_options(handle, valise_ssl_options())
        unsafe SSL_CTX_set_security_level(handle, 2)
        // A pointer to memory that has moved is as good: it has the same bytes. Idle connections give memory back.
        let mode =
            SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN
        unsafe SSL_CTX_ctrl(handle, SSL_CTRL_MODE, Int(mode), nil)
        unsafe SSL_CTX_ctrl(handle, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        unsafe SSL_CTX_set_msg_callback(handle) { isSent, _, what, bytes, count, ssl, _ in
            // In TLS 1.3 the head of each record says the same, and what it is stands at its end.
            guard isSent == 0, count > 0, what == SSL3_RT_HEADER || what == SSL3_RT_INNER_CONTENT_TYPE,
                let kind = unsafe bytes?.load(as: UInt8.self)
            else { return }
            unsafe TLSConnection.of(ssl)?.noteRecord(kind: kind)
        }
        // Whoever sends four certificates of a few kilobytes is served well by this.
        unsafe SSL_CTX_ctrl(handle, SSL_CTRL_SET_MAX_CERT_LIST, 64 << 10, nil)
    }

    private convenience init(client: ()) throws(TLSError) {
        try unsafe self.init(method: TLS_client_method(), alpn: [], web: nil)
        try apply(.native([.x448, .x25519]), from: TLS1_3_VERSION)
        unsafe SSL_CTX_set_verify(handle, SSL_VERIFY_PEER, nil)
        unsafe SSL_CTX_set_cert_verify_callback(
            handle, { store, _ in unsafe TLSConnection.verify(store) }, nil)
    }

    convenience init(
        server identity: TLSIdentity, profile: TLSProfile, alpn: [String], web: TLSContext?
    ) throws(TLSError) {
        try unsafe self.init(method: TLS_server_method(), alpn: alpn.map { Array($0.utf8) }, web: web)
        try apply(profile, from: TLS1_2_VERSION)
        try use(identity)
        guard unsafe SSL_CTX_set_num_tickets(handle, 0) == 1 else { throw .library("set up a context") }
        // The connections that call back hold this object.
        let this = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe SSL_CTX_set_alpn_select_cb(handle, TLSContext.selectProtocol, this)
        if web != nil {
            unsafe SSL_CTX_set_client_hello_cb(
                handle, { ssl, _, _ in unsafe TLSConnection.seeServerName(ssl) }, nil)
        }
    }

    deinit { unsafe SSL_CTX_free(handle) }

    private func apply(_ profile: TLSProfile, from version: Int32) throws(TLSError) {
        guard
            unsafe SSL_CTX_ctrl(handle, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(version), nil) == 1,
            unsafe SSL_CTX_ctrl(handle, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_3_VERSION), nil) == 1,
            unsafe SSL_CTX_set_ciphersuites(handle, profile.suites) == 1,
            unsafe SSL_CTX_set_cipher_list(handle, profile.olderSuites) == 1,
            unsafe Self.set(
                SSL_CTRL_SET_GROUPS_LIST, profile.groups, { unsafe SSL_CTX_ctrl(handle, $0, 0, $1) }),
            unsafe Self.set(
                SSL_CTRL_SET_SIGALGS_LIST, profile.signatures, { unsafe SSL_CTX_ctrl(handle, $0, 0, $1) })
        else { throw .library("set up the XFTP algorithms") }
    }

    /// Hands a list to one of libssl's controls, which copies it.
    static func set(
        _ control: Int32, _ list: String, _ call: (Int32, UnsafeMutableRawPointer?) -> Int
    ) -> Bool {
        unsafe list.withCString { unsafe call(control, UnsafeMutableRawPointer(mutating: $0)) == 1 }
    }

    private func use(_ identity: TLSIdentity) throws(TLSError) {
        guard let leaf = identity.chain.first,
            unsafe leaf.withHandle({ unsafe SSL_CTX_use_certificate(handle, $0) }) == 1,
            unsafe identity.key.withHandle({ unsafe SSL_CTX_use_PrivateKey(handle, $0) }) == 1
        else { throw .library("load the server's certificate and key") }
        for certificate in identity.chain.dropFirst() {
            // 1: OpenSSL counts itself as an owner of its own.
            let added = unsafe certificate.withHandle {
                unsafe SSL_CTX_ctrl(handle, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer($0))
            }
            guard added == 1 else { throw .library("load the server's certificate chain") }
        }
    }
}
