import Testing

@testable import Valise

/// Who may see pages.
struct BrowsingTests {
    private let access = BrowsingAccess(port: 4000)

    private func request(
        _ target: String = "/", _ fields: [String: String] = [:], method: String = "GET",
        host: String? = "127.0.0.1:4000"
    ) -> BrowsingAccess.Request {
        let host = host.map { [(name: "Host", value: $0)] } ?? []
        return BrowsingAccess.Request(
            method: method, target: target, fields: host + fields.map { (name: $0.key, value: $0.value) })
    }

    private var entrance: String { String(access.address.dropFirst("http://127.0.0.1:4000".count)) }

    private func isRefused(_ request: BrowsingAccess.Request, _ status: Int = 403) -> Bool {
        if case .refused(status, _) = access.verdict(on: request) { true } else { false }
    }

    private func enter() throws -> String {
        guard case .entered(let cookie) = access.verdict(on: request(entrance)) else {
            throw OperationError(.failed, "refused")
        }
        return String(cookie.prefix { $0 != ";" })
    }

    @Test func `an address lets one browser in, once`() throws {
        #expect(access.address.count > 60)
        #expect(isRefused(request()) && isRefused(request("/web/page.js")))
        guard case .entered(let cookie) = access.verdict(on: request(entrance)) else {
            Issue.record("the first one is refused")
            return
        }
        #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        #expect(isRefused(request(entrance)), "the second one is let in")
        let pair = String(cookie.prefix { $0 != ";" })
        #expect(!entrance.contains(pair.split(separator: "=")[1]), "the cookie is the token")
        #expect(access.verdict(on: request("/", ["Cookie": pair])) == .allowed)
        #expect(access.verdict(on: request("/", ["cookie": "a=b; \(pair); c=d"])) == .allowed)
        #expect(access.verdict(on: request("/", ["Cookie": pair], method: "HEAD")) == .allowed)
        #expect(isRefused(request("/", ["Cookie": pair + "x"])))
        #expect(isRefused(request("/", ["Cookie": String(pair.dropLast())])))
        // Whoever reloads it is there already.
        #expect(access.verdict(on: request(entrance, ["Cookie": pair])) == .entered(cookie: cookie))
    }

    @Test func `what only looks ahead does not use the address up`() throws {
        #expect(isRefused(request(entrance, method: "HEAD")))
        #expect(isRefused(request(entrance, ["Sec-Purpose": "prefetch;prerender"])))
        #expect(isRefused(request(entrance, host: "example.org:4000")))
        #expect(isRefused(request("/?token=wrong")))
        #expect(isRefused(request("/?token=")))
        #expect(isRefused(request("/other\(entrance.dropFirst())")))
        _ = try enter()
    }

    @Test(arguments: ["localhost:4000", "LOCALHOST:4000", "127.0.0.1:4000"])
    func `names of this machine are taken`(host: String) throws {
        let cookie = try enter()
        #expect(access.verdict(on: request("/", ["Cookie": cookie], host: host)) == .allowed)
    }

    private static let otherHosts: [String?] = [
        nil, "127.0.0.1", "127.0.0.1:4001", "example.org:4000", "127.0.0.1.example.org:4000", "",
    ]

    @Test(arguments: otherHosts) func `other names are refused, whoever asks`(host: String?) throws {
        let cookie = try enter()
        #expect(isRefused(request("/", ["Cookie": cookie], host: host)))
    }

    @Test func `a second name is refused`() throws {
        let cookie = try enter()
        #expect(isRefused(request("/", ["Cookie": cookie, "host": "example.org"])))
    }

    @Test(arguments: [
        ("Origin", "http://127.0.0.1:4001"), ("Origin", "https://127.0.0.1:4000"), ("Origin", "null"),
        ("Sec-Fetch-Site", "same-site"), ("Sec-Fetch-Site", "cross-site"),
    ])
    func `what another page asks for is refused`(field: String, value: String) throws {
        let cookie = try enter()
        #expect(isRefused(request("/", ["Cookie": cookie, field: value])))
    }

    @Test(arguments: [
        ("Origin", "http://127.0.0.1:4000"), ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "none"),
    ])
    func `what its own pages ask for is given`(field: String, value: String) throws {
        let cookie = try enter()
        #expect(access.verdict(on: request("/", ["Cookie": cookie, field: value])) == .allowed)
    }

    /// A page of a file, as the browser is started with, is another site.
    @Test func `the address can be opened from another site`() throws {
        guard case .entered = access.verdict(on: request(entrance, ["Sec-Fetch-Site": "cross-site"])) else {
            Issue.record("refused")
            return
        }
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get"])
    func `pages can only be read`(method: String) throws {
        let cookie = try enter()
        #expect(isRefused(request("/", ["Cookie": cookie], method: method), 405))
    }

    @Test func `two servers have nothing in common`() {
        let other = BrowsingAccess(port: 4000)
        #expect(other.address != access.address)
    }
}
