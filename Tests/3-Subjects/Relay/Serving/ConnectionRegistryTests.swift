import NIOCore
import Testing

@testable import ValiseRelay

/// Whose connections are counted together.
struct ConnectionRegistryTests {
    private static func network(_ address: String) throws -> [UInt8] {
        ClientAddress(try SocketAddress(ipAddress: address, port: 1)).network
    }

    @Test func `addresses of IPv4 are told apart, however they come in`() throws {
        #expect(try Self.network("192.0.2.1") == [192, 0, 2, 1])
        #expect(try Self.network("::ffff:192.0.2.1") == [192, 0, 2, 1])
        #expect(try Self.network("192.0.2.2") != [192, 0, 2, 1])
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.9.8.7", true), ("::1", true), ("::ffff:127.0.0.1", true), ("::", false),
        ("128.0.0.1", false), ("::2", false), ("::ffff:192.0.2.1", false), ("7f00::1", false),
    ])
    func `this machine is told from others`(address: String, isLoopback: Bool) throws {
        #expect(try ClientAddress(SocketAddress(ipAddress: address, port: 1)).isLoopback == isLoopback)
    }

    @Test func `a network of IPv6 counts as one`() throws {
        #expect(try Self.network("2001:db8::1") == Self.network("2001:db8:0:0:ffff::2"))
        #expect(try Self.network("2001:db8::1") != Self.network("2001:db8:0:1::1"))
    }

    @Test func `who makes room first`() throws {
        let now = NIODeadline.now()
        let rank = { (use: ConnectionPlace.Use, seconds: Int64) in
            ConnectionPlace.Rank(use, since: now - .seconds(seconds), opened: now - .seconds(3))
        }
        #expect(rank(.busy, 100) == nil)
        let inOrder = try [
            rank(.opening, 5), rank(.opening, 4), rank(.idle, 100), rank(.idle, 0), rank(.opening, 2),
        ].map { try #require($0) }
        #expect(zip(inOrder, inOrder.dropFirst()).allSatisfy { $0 < $1 })
    }
}
