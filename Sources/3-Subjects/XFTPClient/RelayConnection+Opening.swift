import ValiseFailures
import ValiseTLS
package import ValiseXFTPWire

extension RelayConnection {
    /// Connects to a relay, proves that it is the one of the address, and agrees on a version.
    ///
    /// - Throws: ``XFTPClientError``: `unreachable`, `timedOut`, `untrusted`, `incompatible`, and what may happen to
    ///   any connection; `CancellationError`.
    package static func connect(
        to address: XFTPAddress, _ options: RelayConnectionOptions = RelayConnectionOptions()
    ) async throws -> RelayConnection {
        let opened = try await OpenedConnection.open(address, options)
        let connection = RelayConnection(opened, address, options)
        do {
            try await connection.shakeHands(opened.handshake)
        } catch {
            await connection.close()
            throw error
        }
        return connection
    }

    private func shakeHands(_ tls: TLSHandshakeCompleted) async throws {
        guard tls.alpn != nil else {
            // A relay from before there was a choice: commands go at once.
            return begin(ClientSession(withoutHandshake: tls.sessionID))
        }
        guard let leaf = tls.peerChain.first else {
            throw XFTPClientError.violation("the relay has no certificate", relay: relay)
        }
        var session = ClientSession(
            sessionID: tls.sessionID, fingerprint: address.fingerprint, leaf: leaf)
        let hello = try await exchange([])
        let block = try checked { try session.receive(serverHello: hello) }
        let answer = try await exchange(block)
        try checked { try session.receive(handshakeAnswer: answer) }
        begin(session)
    }

    private func exchange(_ block: [UInt8]) async throws -> [UInt8] {
        try await withStream(.handshake) { stream in
            _ = try await stream.start(block, isAll: true)
            return try await stream.takeAll(relay)
        }
    }

    private func checked<Result>(_ step: () throws -> Result) throws -> Result {
        do {
            return try step()
        } catch let error as XFTPWireError {
            throw XFTPClientError(ofHandshake: error, relay: relay)
        }
    }
}

extension XFTPClientError {
    init(ofHandshake error: XFTPWireError, relay: String) {
        let kind: Kind =
            switch error.code {
            case .denied: .untrusted
            case .newer, .unsupported: .incompatible
            case .failed: .refused(.handshake)
            default: .protocolViolation
            }
        self.init(kind, code: error.code, error.message, relay: relay)
    }
}
