import Foundation
import NIOCore
import Testing
import ValiseFailures
import ValiseXFTPClient
import ValiseXFTPWire

/// Who is not the relay of the address, and who is no relay at all.
@Suite(.enabled(if: PythonRelay.isAvailable, "needs python3"), .timeLimit(.minutes(5)))
struct HandshakeTests {
    private func connecting(
        to address: XFTPAddress, _ options: RelayConnectionOptions = RelayConnectionOptions()
    ) async -> XFTPClientError? {
        await failure { try await withConnection(to: address, options) { _ in } }
    }

    @Test func `another fingerprint is another relay`() async throws {
        let relay = try await PythonRelay()
        var fingerprint = relay.fingerprint
        fingerprint[31] ^= 1
        let error = await connecting(to: relay.address(fingerprint: fingerprint))
        #expect(error?.kind == .untrusted && error?.isTemporary == false)
        #expect(error?.subject == "127.0.0.1:\(relay.port)")
        #expect(!relay.log.contains { $0.hasPrefix("request") })
    }

    @Test func `a certificate that has expired is refused`() async throws {
        let relay = try await PythonRelay(days: 2)
        let now = Int64(Date().timeIntervalSince1970)
        #expect(await connecting(to: relay.address) == nil)
        for time in [now + 3 * 86_400, now - 3 * 86_400] {
            let error = await connecting(to: relay.address, RelayConnectionOptions(now: { time }))
            #expect(error?.kind == .untrusted)
        }
    }

    @Test(
        arguments: [
            ("session", XFTPClientError.Kind.untrusted), ("signature", .untrusted), ("three", .untrusted),
            ("versions", .incompatible), ("refused", .refused(.handshake)), ("body", .protocolViolation),
        ])
    func `a handshake that is not right ends the connection`(
        fault: String, kind: XFTPClientError.Kind
    ) async throws {
        let relay = try await PythonRelay(["handshake": fault])
        let error = await connecting(to: relay.address)
        #expect(error?.kind == kind, "\(fault): \(error as Any)")
        try await relay.logged("disconnected")
    }

    @Test(
        arguments: [
            // Who closes at once may be faster than the beginning of TLS.
            ("garbage", [XFTPClientError.Kind.protocolViolation]),
            ("close", [.connectionLost, .unreachable]),
            ("tls-garbage", [.protocolViolation]), ("tls-close", [.connectionLost]),
        ])
    func `who speaks something else is told apart`(
        fault: String, kinds: [XFTPClientError.Kind]
    ) async throws {
        let relay = try await PythonRelay(["raw": fault])
        let error = await connecting(to: relay.address)
        #expect(error.map { kinds.contains($0.kind) } == true, "\(fault): \(error as Any)")
    }

    @Test(arguments: ["silent", "tls-silent"])
    func `who says nothing has only so much time`(fault: String) async throws {
        let relay = try await PythonRelay(["raw": fault])
        var options = RelayConnectionOptions()
        options.timeouts.connect = .seconds(2)
        options.timeouts.command = .seconds(2)
        #expect(await connecting(to: relay.address, options)?.kind == .timedOut)
        try await relay.logged("disconnected")
    }

    @Test func `a relay that is silent after TLS has only so much time`() async throws {
        let relay = try await PythonRelay(["handshake": "silent"])
        var options = RelayConnectionOptions()
        options.timeouts.command = .seconds(2)
        #expect(await connecting(to: relay.address, options)?.kind == .timedOut)
        try await relay.logged("disconnected")
    }

    @Test func `a relay of before ALPN is version 1`() async throws {
        let relay = try await PythonRelay(["alpn": [String]()])
        // relay.py wants the handshake nevertheless, and takes PING for a hello.
        let error = await failure {
            try await withConnection(to: relay.address) { try await $0.ping() }
        }
        #expect(error?.kind == .protocolViolation)
    }

    @Test func `nobody listens, or nobody has the name`() async throws {
        let address = XFTPAddress(
            fingerprint: Array(repeating: 1, count: 32), hosts: [.ipv4("127.0.0.1")], port: 1)
        let refused = await connecting(to: address)
        #expect(refused?.kind == .connectionRefused && refused?.isTemporary == true)
        let onion = XFTPAddress(fingerprint: address.fingerprint, hosts: [.onion("abc.onion")])
        #expect(await connecting(to: onion)?.message.contains("proxy") == true)
    }
}
