import Testing
import ValiseXFTPClient
import ValiseXFTPWire

@Suite(.enabled(if: PythonRelay.isAvailable, "needs python3"), .timeLimit(.minutes(5)))
struct ProxyTests {
    private static let onion = String(repeating: "a", count: 56) + ".onion"

    @Test(
        arguments: [
            ([XFTPAddress.Host.domain("relay.example.org"), .onion(onion)], "3 \(onion)"),
            ([.domain("relay.example.org")], "3 relay.example.org"), ([.ipv4("192.0.2.7")], "1 192.0.2.7"),
            ([.ipv6("2001:db8::7")], "4 20010db8000000000000000000000007"),
        ])
    func `the proxy gets the name and brings us there`(
        hosts: [XFTPAddress.Host], asked: String
    ) async throws {
        let relay = try await PythonRelay()
        let proxy = try await PythonProxy(to: relay.port)
        let address = XFTPAddress(fingerprint: relay.fingerprint, hosts: hosts)
        try await withConnection(to: address, RelayConnectionOptions(proxy: proxy.proxy)) { connection in
            let chunk = try await TestChunk.stored(on: connection, size: 262_144)
            #expect(try await chunk.comesBack(connection))
        }
        #expect(proxy.log.dropFirst() == ["socks \(asked) 443"])
    }

    @Test func `a proxy that refuses, or is none, is named`() async throws {
        let relay = try await PythonRelay()
        let proxy = try await PythonProxy(to: relay.port, refuses: true)
        let refused = await failure {
            try await withConnection(to: relay.address, RelayConnectionOptions(proxy: proxy.proxy)) { _ in }
        }
        #expect(refused?.kind == .unreachable && refused?.message.contains("proxy") == true)
        let nobody = RelayConnectionOptions(proxy: SOCKSProxy(host: "127.0.0.1", port: 1))
        let missing = await failure { try await withConnection(to: relay.address, nobody) { _ in } }
        #expect(missing?.kind == .unreachable && missing?.message.contains("proxy 127.0.0.1:1") == true)
        #expect(!relay.log.contains { $0.hasPrefix("connection") })
    }
}
