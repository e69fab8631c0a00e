import Testing
import ValiseEncoding

@testable import ValiseXFTPWire

struct AddressTests {
    private static let fingerprint = "LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI="

    @Test func `every vector is read, and written as it was but for the padding`() throws {
        for vector in try WireFixture.vectors("addresses") {
            let text = try vector.text("text")
            if vector["valid"] as? Bool == false {
                #expect(throws: XFTPWireError.self) { try RelayAccess(text) }
                continue
            }
            let access = try RelayAccess(text)
            let password = vector["password"] as? String
            let shown = password.map { text.replacing(":\($0)@", with: "@") } ?? text
            #expect(access.address.text == shown.replacing("wjI@", with: "wjI=@"))
            #expect(access.password?.text == password)
            if let hash = vector.optionalHex("key_hash") { #expect(access.address.fingerprint == hash) }
            if let hosts = vector["hosts"] as? [String] { #expect(access.address.hosts.map(\.text) == hosts) }
            if let port = vector["port"] as? String {
                #expect(access.address.port.map { "\($0)" } ?? "" == port)
                #expect("\(access.address.effectivePort)" == vector["effective_port"] as? String ?? port)
            }
        }
    }

    @Test(arguments: [
        ("example.com", XFTPAddress.Host.domain("example.com")), ("localhost", .domain("localhost")),
        ("Relay-1.example", .domain("Relay-1.example")), ("127.0.0.1", .ipv4("127.0.0.1")),
        ("127.0.0.256", .domain("127.0.0.256")), ("127.0.0.01", .domain("127.0.0.01")),
        ("abc234.onion", .onion("abc234.onion")), ("ABC234.Onion", .onion("abc234.onion")),
        ("::1", .ipv6("::1")), ("[::1]", .ipv6("::1")), ("2001:DB8:0:0:8:0:0:1", .ipv6("2001:db8::8:0:0:1")),
        ("::", .ipv6("::")), ("::ffff:1.2.3.4", .ipv6("::ffff:102:304")),
        ("1:2:3:4:5:6:7:8", .ipv6("1:2:3:4:5:6:7:8")),
        ("1::", .ipv6("1::")), ("1:0:3:4:5:6:7:8", .ipv6("1:0:3:4:5:6:7:8")),
    ])
    func `hosts of every kind are told apart`(text: String, host: XFTPAddress.Host) throws {
        #expect(try XFTPAddress.Host(text) == host)
        #expect(try XFTPAddress("xftp://\(Self.fingerprint)@\(text)").hosts == [host])
    }

    @Test(arguments: [
        "", "a b", "a/b", "a;b", "a#b", "a@b", "[::1", "::1]", "[example.com]", "a\u{0}b", "a\nb",
        "ab\u{202e}c",
        "a_b!.onion", ":::", "1:2:3", "1::2::3", "12345::", "::1%eth0", "g::1", "1:2:3:4:5:6:7:8:9",
        String(repeating: "a", count: 256),
    ])
    func `what is no host is refused`(text: String) {
        #expect(throws: XFTPWireError.self) { try XFTPAddress.Host(text) }
    }

    @Test func `an address of IPv6 has brackets only where a port follows`() throws {
        let address = { (places: String) in try XFTPAddress("xftp://\(Self.fingerprint)@\(places)") }
        #expect(try address("::1").text.hasSuffix("@::1"))
        #expect(try address("[::1]").text.hasSuffix("@::1"))
        #expect(try address("[::1]:5443").text.hasSuffix("@[::1]:5443"))
        // Eight groups are complete: what follows is the port.
        #expect(try address("1:2:3:4:5:6:7:8:5443").text.hasSuffix("@[1:2:3:4:5:6:7:8]:5443"))
        // All of it is one address.
        #expect(try address("::1:5443").hosts == [.ipv6("::1:5443")])
        #expect(try address("::1,example.com:5443").text.hasSuffix("@::1,example.com:5443"))
        #expect(try address("example.com,::1").port == nil)
        #expect(try address("example.com:").port == nil)
    }

    @Test(arguments: ["0", "65536", "-1", "+1", "1x", " 1", "٣"])
    func `what is no port is refused`(port: String) {
        #expect(throws: XFTPWireError.self) { try XFTPAddress("xftp://\(Self.fingerprint)@a:\(port)") }
    }

    @Test(arguments: [
        "", "xftp://", "xftp://@a", "xftp://AAAA@a", "xftp://\(fingerprint)", "xftp://\(fingerprint)@",
        "xftp://\(fingerprint)@,a", "xftp://\(fingerprint)@a,", "http://\(fingerprint)@a",
        "xftp://\(fingerprint)@" + String(repeating: "a,", count: 16) + "a",
        "xftp://\(fingerprint)@" + String(repeating: "a", count: 9000), "xftp://\(fingerprint):@a",
        "xftp://\(fingerprint):a b@a", "xftp://\(fingerprint):a:b@a", "xftp://\(fingerprint):a/b@a",
    ])
    func `what is no address is refused`(text: String) {
        #expect(throws: XFTPWireError.self) { try RelayAccess(text) }
    }

    @Test func `any padding is taken, and written as it should be`() throws {
        let bare = Self.fingerprint.dropLast()
        for padding in ["", "=", "==", "======"] {
            #expect(try XFTPAddress("xftp://\(bare)\(padding)@a").text == "xftp://\(Self.fingerprint)@a")
        }
    }

    @Test func `a password is in no text of an address, nor in an error`() throws {
        let access = try RelayAccess("xftp://\(Self.fingerprint):tops3cret@a:80")
        #expect(!"\(access) \(access.address) \(access.address.text)".contains("tops3cret"))
        var dumped = ""
        dump(access.password as Any, to: &dumped)
        for text in [
            "xftp://\(Self.fingerprint):tops3cret@a:80", "xftp://\(Self.fingerprint):tops3cret@",
            "xftp://x:tops3cret@a",
        ] {
            let error = #expect(throws: XFTPWireError.self) { try XFTPAddress(text) }
            #expect(error.map { !"\($0)".contains("tops3cret") } == true)
        }
    }

    @Test func `without a proxy no onion host is chosen, with one the onion host`() throws {
        let both = try XFTPAddress("xftp://\(Self.fingerprint)@a.onion,example.com,b.onion")
        #expect(both.host(throughProxy: false) == .domain("example.com"))
        #expect(both.host(throughProxy: true) == .onion("a.onion"))
        let onion = try XFTPAddress("xftp://\(Self.fingerprint)@a.onion")
        #expect(onion.host(throughProxy: false) == .onion("a.onion"))
        let domain = try XFTPAddress("xftp://\(Self.fingerprint)@a,b")
        #expect(domain.host(throughProxy: true) == .domain("a"))
    }

    @Test func `addresses are ordered by hosts, port and fingerprint`() throws {
        let other = "xftp://" + Base64URL.encode([UInt8](repeating: 0xff, count: 32)) + "@"
        let this = "xftp://\(Self.fingerprint)@"
        let ordered = [
            this + "9.0.0.1", this + "10.0.0.1", this + "::1", this + "a.onion", this + "a.example",
            this + "a.example,b",
            this + "b", other + "b", this + "b:10", this + "b:5443", this + "b:80",
        ]
        let addresses = try ordered.map { try XFTPAddress($0) }
        #expect(addresses.shuffled().sorted() == addresses)
    }
}
