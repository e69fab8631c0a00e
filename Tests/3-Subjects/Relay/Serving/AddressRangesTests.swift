import NIOCore
import Testing

@testable import ValiseRelay

struct AddressRangesTests {
    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "10.0.0.2", false), ("10.0.0.0/8", "10.255.0.9", true),
        ("10.0.0.0/8", "11.0.0.1", false), ("10.128.0.0/9", "10.127.0.1", false),
        ("10.128.0.0/9", "10.129.0.1", true), ("0.0.0.0/0", "203.0.113.1", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("2001:db8::/32", "2001:db8:1::1", true),
        ("2001:db8::/32", "2001:db9::1", false), ("10.0.0.1", "::ffff:10.0.0.1", true),
        ("192.0.2.1, 2001:db8::7", "2001:db8::7", true),
    ])
    func `an address is in a range or not`(ranges: String, address: String, isIn: Bool) throws {
        let found = try #require(AddressRanges(ranges))
        #expect(found.contains(try SocketAddress(ipAddress: address, port: 1)) == isIn)
        #expect(found.text == ranges)
    }

    @Test(arguments: [
        "", "x", "10.0.0.1/33", "10.0.0.1/-1", "10.0.0.1,", "10.0.0.1/", "1 2", "relay.example",
    ])
    func `what is no address is none`(text: String) { #expect(AddressRanges(text) == nil) }

    @Test func `no address is in no range`() { #expect(!AddressRanges.loopback.contains(nil)) }
}
