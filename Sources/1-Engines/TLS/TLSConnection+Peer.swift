import CValiseOpenSSL
import ValiseCryptography

extension TLSConnection {
    /// libssl asks a client about the certificates of the server.
    static func verify(_ store: OpaquePointer?) -> Int32 {
        let ssl = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx())
        guard let connection = unsafe of(ssl.map { OpaquePointer($0) }), let settings = connection.client
        else {
            return 0
        }
        do throws(CertificateError) {
            let chain = try unsafe CertificateChain(der: encoded(X509_STORE_CTX_get0_untrusted(store)))
            try chain.validate(fingerprint: settings.fingerprint, at: settings.now())
            return 1
        } catch {
            connection.refusal = error
            // Decides which alert the server gets.
            let status =
                error.isExpiry ? X509_V_ERR_CERT_HAS_EXPIRED : X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
            unsafe X509_STORE_CTX_set_error(store, status)
            return 0
        }
    }

    /// Goes over to the web identity when the client sent any server name: native clients send none.
    static func seeServerName(_ ssl: OpaquePointer?) -> Int32 {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        guard unsafe SSL_client_hello_get0_ext(ssl, UInt32(TLSEXT_TYPE_server_name), &bytes, &count) == 1,
            let connection = unsafe of(ssl), let web = connection.webContext
        else { return SSL_CLIENT_HELLO_SUCCESS }
        let profile = TLSProfile.web
        guard unsafe SSL_set_SSL_CTX(ssl, web.handle) != nil,
            unsafe SSL_set_ciphersuites(ssl, profile.suites) == 1,
            unsafe SSL_set_cipher_list(ssl, profile.olderSuites) == 1,
            unsafe TLSContext.set(
                SSL_CTRL_SET_GROUPS_LIST, profile.groups, { unsafe SSL_ctrl(ssl, $0, 0, $1) }),
            unsafe TLSContext.set(
                SSL_CTRL_SET_SIGALGS_LIST, profile.signatures, { unsafe SSL_ctrl(ssl, $0, 0, $1) })
        else { return SSL_CLIENT_HELLO_ERROR }
        connection.usesWebIdentity = true
        return SSL_CLIENT_HELLO_SUCCESS
    }

    /// What was agreed on, once the handshake is done.
    func result() throws(TLSError) -> TLSHandshakeCompleted {
        var alpn: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &alpn, &count)
        let chosen = unsafe alpn.map {
            unsafe String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self)
        }
        var peerChain: [[UInt8]] = []
        if client != nil {
            do throws(CertificateError) {
                peerChain = try unsafe Self.encoded(SSL_get_peer_cert_chain(ssl))
            } catch { throw TLSError(error) }
        }
        return TLSHandshakeCompleted(
            alpn: chosen, sessionID: try sessionID(), peerChain: peerChain, usedServerName: usesWebIdentity)
    }

    /// The client's Finished on either side: what it sent, and what a server received.
    private func sessionID() throws(TLSError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        let size = bytes.count
        let count =
            unsafe client != nil
            ? SSL_get_finished(ssl, &bytes, size) : SSL_get_peer_finished(ssl, &bytes, size)
        guard count > 0, count <= size else { throw .library("return the client's Finished message") }
        return Array(bytes[..<count])
    }

    private static func encoded(_ stack: OpaquePointer?) throws(CertificateError) -> [[UInt8]] {
        var chain: [[UInt8]] = []
        for index in unsafe 0..<max(OPENSSL_sk_num(stack), 0) {
            guard let x509 = unsafe OPENSSL_sk_value(stack, index) else { continue }
            unsafe chain.append(try Certificate.der(of: OpaquePointer(x509)))
        }
        return chain
    }
}
