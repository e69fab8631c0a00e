import FaultInjection
import Testing
import ValiseEncoding
import ValiseMoves

struct LinkDataTests {
    /// From simplex-chat/simplex-chat#5194.
    private static let real = #"{"networkConfig":{"hostMode":"onionViaSocks","requiredHostMode":false}}"#

    @Test func `the link of a real app is read and written byte for byte`() throws {
        let data = try MigrationFileLinkData(json: Self.real)
        #expect(data == MigrationFileLinkData(networkConfig: NetworkConfig()))
        #expect(data.json == Self.real)
        #expect(
            MigrationFileLinkData(networkConfig: NetworkConfig(hostMode: .onionViaSocks)).json == Self.real)
    }

    @Test func `what is known goes there and back`() throws {
        let proxies = [
            nil, NetworkProxy(), NetworkProxy(host: "127.0.0.1", port: 9050),
            NetworkProxy(host: "h\"\\\u{1F600}", port: 1, username: "u", password: "p/\n", auth: "isolate"),
        ]
        for mode in NetworkConfig.HostMode.allCases {
            for proxy in proxies {
                let config = NetworkConfig(
                    socksProxy: proxy == nil ? ":9050" : nil, networkProxy: proxy, hostMode: mode,
                    requiredHostMode: mode == .onionHost)
                let data = MigrationFileLinkData(networkConfig: config)
                #expect(try MigrationFileLinkData(json: data.json) == data)
                #expect(!data.json.contains("null") && !data.json.contains("\n"))
            }
        }
        #expect(MigrationFileLinkData().json == "{}")
        #expect(try MigrationFileLinkData(json: "{}") == MigrationFileLinkData())
        #expect(try MigrationFileLinkData(json: #"{"networkConfig":null}"#).networkConfig == nil)
    }

    @Test func `all members of the official form are written in its order`() {
        let config = NetworkConfig(
            socksProxy: "localhost:9050",
            networkProxy: NetworkProxy(host: "h", port: 9, username: "u", password: "p", auth: "a"),
            hostMode: .publicHost, requiredHostMode: true)
        #expect(
            MigrationFileLinkData(networkConfig: config).json
                == #"{"networkConfig":{"socksProxy":"localhost:9050","networkProxy":"#
                + #"{"host":"h","port":9,"username":"u","password":"p","auth":"a"},"#
                + #""hostMode":"publicHost","requiredHostMode":true}}"#)
    }

    @Test func `what is not known is kept as it was written`() throws {
        let text = """
            { "future" : [1.0, 10000000000000000000001, {"a" : "\\u00e9"}],
              "networkConfig":{"hostMode":"publicHost","tcpTimeout":1e3,"requiredHostMode":true,
                "networkProxy":{"host":"h","kind":{"x": null}}} , "last":null}
            """
        var data = try MigrationFileLinkData(json: text)
        #expect(
            data.json
                == #"{"networkConfig":{"networkProxy":{"host":"h","kind":{"x": null}},"hostMode":"publicHost","#
                + #""requiredHostMode":true,"tcpTimeout":1e3},"#
                + #""future":[1.0, 10000000000000000000001, {"a" : "\u00e9"}],"last":null}"#)
        #expect(try MigrationFileLinkData(json: data.json) == data)
        data.networkConfig?.hostMode = .onionHost
        #expect(data.json.contains(#""tcpTimeout":1e3"#) && data.json.contains("onionHost"))
    }

    @Test func `what is missing is as in a new app`() throws {
        let config = try MigrationFileLinkData(json: #"{"networkConfig":{}}"#).networkConfig
        #expect(config == NetworkConfig(hostMode: .onionViaSocks, requiredHostMode: false))
    }

    @Test(arguments: [
        "", "{", "[]", "7", "null", "\"text\"", "{}{}", "{\"a\":}", #"{"networkConfig":7}"#,
        #"{"networkConfig":[]}"#,
        #"{"networkConfig":{"hostMode":5}}"#, #"{"networkConfig":{"hostMode":"other"}}"#,
        #"{"networkConfig":{"requiredHostMode":"yes"}}"#, #"{"networkConfig":{"socksProxy":{}}}"#,
        #"{"networkConfig":{"networkProxy":7}}"#, #"{"networkConfig":{"networkProxy":{"port":70000}}}"#,
        #"{"networkConfig":{"networkProxy":{"port":-1}}}"#, #"{"networkConfig":{},"networkConfig":{}}"#,
        "{\"a\":\"\u{0}\"}", "{\"a\":1,}", String(repeating: "[", count: 20_000),
        "{\"a\":" + String(repeating: "{\"a\":", count: 5000) + "1" + String(repeating: "}", count: 5001),
        "{\"a\":\"" + String(repeating: "x", count: 1 << 17) + "\"}",
    ])
    func `hostile data are refused`(_ text: String) {
        #expect {
            try MigrationFileLinkData(json: text)
        } throws: {
            ($0 as? DeviceMigrationError)?.kind == .invalidLinkData
        }
    }

    @Test func `changed bytes give data or an error, and what is read is written as JSON`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of the changed link data: \(seed)")
        var random = SeededGenerator(seed: seed)
        let text = Array(
            #"{"x":["{",1,"\"]"],"networkConfig":{"socksProxy":":9050","hostMode":"publicHost","requiredHostMode":true}}"#
                .utf8)
        let bytes = Array("{}[]\",:\\ \u{0}ue07n\n\u{e9}".utf8)
        for _ in 0..<3000 {
            var changed = text
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed[place] = bytes.randomElement(using: &random) ?? 0
                case 1: changed.remove(at: place)
                default: changed.insert(bytes.randomElement(using: &random) ?? 0, at: place)
                }
            }
            let json = String(decoding: changed, as: UTF8.self)
            guard let data = try? MigrationFileLinkData(json: json) else { continue }
            #expect(JSONText.isValid(data.json), "\(seed): \(json)")
            #expect((try? MigrationFileLinkData(json: data.json)) == data, "\(seed): \(json)")
        }
    }

    @Test func `reports do not have the password of a proxy`() throws {
        let config = NetworkConfig(
            networkProxy: NetworkProxy(host: "h", port: 9, username: "u", password: "secret"))
        let text = try JSONText.encode(config)
        #expect(text.contains(#""port":9"#) && !text.contains("secret"))
    }
}
