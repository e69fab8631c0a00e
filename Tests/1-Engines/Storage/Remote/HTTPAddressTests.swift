import Testing
import ValiseEncoding
import ValiseFailures

@testable import ValiseStorage

/// Addresses of servers, and what is done with them.
struct HTTPAddressTests {
    @Test(arguments: [
        ("https://Host.example/a/b/", "https://host.example/a/b"), ("http://host:80", "http://host"),
        ("https://host:443/", "https://host"), ("http://host:443", "http://host:443"),
        ("https://[::1]:8000/x y", "https://[::1]:8000/x%20y"),
        ("HTTP://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("https://a_b.c-d/%41", "https://a_b.c-d/%41"),
        ("https://host/é", "https://host/%C3%A9"),
    ])
    func `an address has one form`(text: String, form: String) throws {
        #expect(try HTTPAddress(text).text == form)
    }

    @Test func `a user may be in it`() throws {
        let address = try HTTPAddress("https://ann%40home@host:8000/a")
        #expect(address.user == "ann@home" && address.text == "https://host:8000/a")
        #expect(address.isEncrypted && address.authority == "host:8000")
        #expect(try HTTPAddress("http://host").user == nil)
    }

    @Test(arguments: [
        "", "host", "ftp://host", "https://", "https:///a", "https://host:0", "https://host:99999",
        "https://host:1x", "https://ho st/", "https://host/a?b", "https://host/a#b", "https://[::1",
        "https://@host",
        "https://%zz@host", "https://host/\u{7}", "https://h\"ost", "https://[::1]x",
    ])
    func `anything else is refused`(text: String) throws {
        let error = try #require(throws: StorageError.self) { _ = try HTTPAddress(text) }
        #expect(error.code == .invalid && error.remedy == .checkServerAddress)
    }

    @Test func `a password is refused, and not shown`() throws {
        let error = try #require(throws: StorageError.self) {
            _ = try HTTPAddress("https://ann:geheim@host/a")
        }
        #expect(error.code == .invalid && !"\(error)".contains("geheim"))
        #expect(error.message.contains("no password"))
    }

    @Test func `times of answers are read`() {
        #expect(HTTPDate.decode("Fri, 24 May 2013 00:00:07 GMT")?.isoText == "2013-05-24T00:00:07Z")
        for text in [
            "", "Fri, 24 May 2013", "Fri, 32 May 2013 00:00:00 GMT", "Fri, 24 Mai 2013 00:00:00 GMT",
        ] {
            #expect(HTTPDate.decode(text) == nil, "\(text)")
        }
    }
}
