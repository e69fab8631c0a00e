import FaultInjection
import NIOCore
import Testing

@testable import ValiseRelay

/// What proxies say of connections, in both versions.
struct ProxyHeaderTests {
    static let signature: [UInt8] = [0x0d, 0x0a, 0x0d, 0x0a, 0, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]

    /// - Parameter body: addresses, ports, and what else.
    static func binary(_ command: UInt8, _ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
        signature + [command, kind, UInt8(body.count >> 8), UInt8(body.count & 0xff)] + body
    }

    static func line(_ text: String) -> [UInt8] { Array("\(text)\r\n".utf8) }

    private static let version4: [UInt8] = [203, 0, 113, 7, 10, 0, 0, 1, 0x1f, 0x90, 0x01, 0xbb]
    private static let version6 =
        [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [7] + [UInt8](repeating: 1, count: 16)
        + [0x1f, 0x90, 0x01, 0xbb]

    private static let valid: [([UInt8], String?)] = [
        (line("PROXY TCP4 203.0.113.7 10.0.0.1 8080 443"), "203.0.113.7"),
        (line("PROXY TCP6 2001:db8::7 2001:db8::1 8080 443"), "2001:db8::7"),
        (line("PROXY UNKNOWN"), nil), (line("PROXY UNKNOWN ffff:: what else 1 2"), nil),
        (binary(0x21, 0x11, version4), "203.0.113.7"), (binary(0x21, 0x21, version6), "2001:db8::7"),
        // With more behind the addresses, as the name that TLS asked for.
        (binary(0x21, 0x11, version4 + [0x02, 0, 3, 1, 2, 3]), "203.0.113.7"),
        (binary(0x21, 0x11, version4 + [UInt8](repeating: 4, count: 4084)), "203.0.113.7"),
        (binary(0x20, 0x00, []), nil), (binary(0x20, 0x11, version4), nil),
        (binary(0x21, 0x00, [1, 2]), nil),
    ]

    @Test func `each valid header is read, whatever follows, and none before it is complete`() throws {
        for (header, address) in Self.valid {
            for size in 0..<header.count {
                #expect(try ProxyHeader.read(header[..<size]) == nil, "\(header) \(size)")
            }
            for rest in [[], [0x16, 3, 1], Self.signature] as [[UInt8]] {
                let found = try #require(try ProxyHeader.read(header + rest))
                #expect(found.size == header.count)
                guard let address else {
                    #expect(found.source == .proxy)
                    continue
                }
                let expected = try SocketAddress(ipAddress: address, port: 8080)
                #expect(found.source == .client(expected), "\(header)")
            }
        }
    }

    private static let invalid: [[UInt8]] = [
        line("GET / HTTP/1.1"), [0x16, 3, 1], line("PROXY"), line("PROXY TCP4"), line("proxy TCP4 1.2.3.4"),
        line("PROXY TCP4 203.0.113.7 10.0.0.1 8080"), line("PROXY TCP4 203.0.113.7 10.0.0.1 8080 443 1"),
        line("PROXY TCP4  203.0.113.7 10.0.0.1 8080 443"), line("PROXY TCP4 2001:db8::7 2001:db8::1 1 2"),
        line("PROXY TCP6 203.0.113.7 10.0.0.1 8080 443"), line("PROXY TCP4 203.0.113.7 10.0.0.1 65536 443"),
        line("PROXY TCP4 203.0.113.7 10.0.0.1 08080 443"), line("PROXY TCP4 203.0.113.7 10.0.0.1 -1 443"),
        line("PROXY TCP4 relay.example 10.0.0.1 8080 443"), line("PROXY UDP4 203.0.113.7 10.0.0.1 8080 443"),
        line("PROXY TCP4 203.0.113.7 2001:db8::1 8080 443"), Array("PROXY UNKNOWN\n".utf8),
        Array("PROXY UNKNOWN \(String(repeating: "x", count: 200))".utf8),
        binary(0x11, 0x11, version4), binary(0x22, 0x11, version4), binary(0x21, 0x12, version4),
        binary(0x21, 0x31, version4), binary(0x21, 0x11, Array(version4.dropLast())),
        binary(0x21, 0x21, version4), signature + [0x21, 0x11, 0x10, 0x01],
    ]

    @Test func `what is no header is refused as soon as that is known`() {
        for bytes in Self.invalid {
            #expect(throws: ProxyFault.self, "\(bytes)") { try ProxyHeader.read(bytes) }
        }
    }

    @Test func `no bytes make it fail otherwise`() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            var bytes = Self.valid.randomElement(using: &generator)!.0
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = .random(in: 0 ... .max, using: &generator)
                case 1: bytes.remove(at: place)
                default: bytes.insert(.random(in: 0 ... .max, using: &generator), at: place)
                }
            }
            do throws(ProxyFault) {
                if let header = try ProxyHeader.read(bytes) {
                    #expect(header.size <= bytes.count, "seed \(seed)")
                } else {
                    #expect(bytes.count < 16 + ProxyHeader.longestBody, "seed \(seed)")
                }
            } catch {
                #expect(error == .missing || error == .invalid)
            }
        }
    }
}
