import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMoves
import ValiseSecrets

struct AppSettingsTests {
    private let fixture: ProofFixture
    private let fileSystem = FileSystem()

    init() throws {
        fixture = try ProofFixture()
    }

    private static let table = "CREATE TABLE app_settings (app_settings TEXT NOT NULL);"

    private func account(_ json: String?, _ name: String = "account") throws -> AccountLocation {
        let location = try fixture.bare(Self.table, name: name)
        if let json {
            try Connection(location.path(of: .chat), mode: .readWrite, passphrase: ProofFixture.key())
                .run("INSERT INTO app_settings VALUES (?)", [.text(json)])
        }
        return location
    }

    private func stored(_ location: AccountLocation) throws -> [[Value]] {
        try Connection(location.path(of: .chat), mode: .readOnly, passphrase: ProofFixture.key())
            .rows("SELECT app_settings FROM app_settings")
    }

    private func read(_ location: AccountLocation) throws -> AppSettings? {
        try AppSettings.read(location, passphrase: ProofFixture.key())
    }

    @discardableResult
    private func write(_ config: NetworkConfig, _ location: AccountLocation) throws -> Bool {
        try AppSettings.write(config, into: location, passphrase: ProofFixture.key())
    }

    private static let settings = """
        { "a" : 1.50,
          "networkConfig" : {"tcpTimeout":{"base":1e3} , "hostMode":"onionViaSocks", "socksProxy":":9050",
            "requiredHostMode": false, "z":"\\u00e9"},
          "language" : "de" }
        """

    @Test func `what belongs to a link is read`() throws {
        let settings = try #require(try read(account(Self.settings)))
        #expect(settings.json == Self.settings)
        #expect(settings.networkConfig == NetworkConfig(socksProxy: ":9050"))
        let data = MigrationFileLinkData(networkConfig: settings.networkConfig)
        #expect(!data.json.contains("tcpTimeout"))
    }

    @Test func `a proxy that is kept beside goes into the link`() throws {
        let json = #"{"networkConfig":{"hostMode":"publicHost"},"networkProxy":{"host":"h","port":9}}"#
        let config = try read(account(json))?.networkConfig
        #expect(
            config == NetworkConfig(networkProxy: NetworkProxy(host: "h", port: 9), hostMode: .publicHost))
    }

    @Test func `settings without a network that is understood give none`() throws {
        for (number, json) in ["{}", #"{"networkConfig":null}"#, #"{"networkConfig":{"hostMode":"new"}}"#]
            .enumerated()
        {
            let settings = try #require(try read(account(json, "a\(number)")))
            #expect(settings.networkConfig == nil)
        }
    }

    @Test func `no row and no table are no settings`() throws {
        #expect(try read(account(nil)) == nil)
        #expect(try read(fixture.bare("CREATE TABLE t (x)")) == nil)
        #expect(try read(fixture.sample("sample"))?.json.isEmpty != true)
    }

    @Test func `a configuration is merged, and all else stays byte for byte`() throws {
        let location = try account(Self.settings)
        #expect(try write(NetworkConfig(hostMode: .publicHost, requiredHostMode: true), location))
        let expected = Self.settings.replacing("onionViaSocks", with: "publicHost")
            .replacing("false", with: "true").replacing(", \"socksProxy\":\":9050\"", with: "")
        #expect(try read(location)?.json == expected)
        #expect(try write(NetworkConfig(socksProxy: "x\"", hostMode: .onionHost), location))
        #expect(try read(location)?.networkConfig == NetworkConfig(socksProxy: "x\"", hostMode: .onionHost))
    }

    @Test func `a configuration goes where there were no settings`() throws {
        let config = NetworkConfig(
            socksProxy: ":9050", networkProxy: NetworkProxy(host: "h", port: 9), hostMode: .onionHost)
        let jsons = [
            nil, "{}", " { } ", #"{"networkConfig":null}"#, #"{"a":{}}"#, #"{"networkConfig":7,"b":[]}"#,
        ]
        for (number, json) in jsons.enumerated() {
            let location = try account(json, "a\(number)")
            #expect(try write(config, location))
            #expect(try stored(location).count == 1)
            #expect(try read(location)?.networkConfig == config, "\(json ?? "none")")
        }
    }

    @Test func `without a table nothing is changed`() throws {
        let location = try fixture.bare("CREATE TABLE t (x)")
        let before = try TemporaryFolder.contents(of: location.directory)
        #expect(try !write(NetworkConfig(), location))
        let isSame = try TemporaryFolder.contents(of: location.directory) == before
        #expect(isSame)
    }

    @Test func `settings that are none, and triggers, are left as they are`() throws {
        let locations = [
            try account("[1]", "list"), try account("{", "half"), try account("{\"a\":1,\"a\":2}", "twice"),
        ]
        for location in locations {
            let before = try TemporaryFolder.contents(of: location.directory)
            for operation in [{ _ = try write(NetworkConfig(), location) }, { _ = try read(location) }] {
                #expect(DeviceMigrationError.kind(of: operation) == .invalidSettings)
            }
            let isSame = try TemporaryFolder.contents(of: location.directory) == before
            #expect(isSame)
        }
        let location = try account("{}", "trigger")
        try fixture.run(
            location, "CREATE TRIGGER g AFTER UPDATE ON app_settings BEGIN DELETE FROM app_settings; END")
        #expect(DeviceMigrationError.kind(of: { _ = try write(NetworkConfig(), location) }) == .unsupported)
        #expect(try stored(location) == [["{}"]])
    }

    @Test func `a wrong passphrase changes nothing`() throws {
        let location = try account("{}")
        #expect(
            DeviceMigrationError.kind(of: {
                _ = try AppSettings.read(location, passphrase: ProofFixture.key("00"))
            }) == .wrongPassphrase)
        #expect(
            DeviceMigrationError.kind(of: {
                _ = try AppSettings.write(NetworkConfig(), into: location, passphrase: ProofFixture.key("00"))
            }) == .wrongPassphrase)
        #expect(try stored(location) == [["{}"]])
    }

    @Test func `a write that is interrupted anywhere is done or not begun`() throws {
        let config = NetworkConfig(hostMode: .publicHost)
        var position = 1
        while true {
            let location = try account(Self.settings, "fault-\(position)")
            let plan = FaultPlan(.crash, at: position)
            let isDone =
                (try? AppSettings.write(
                    config, into: location, passphrase: ProofFixture.key(),
                    fileSystem: FileSystem(interposer: plan))) != nil
            guard plan.wasReached else {
                #expect(isDone && position > 5)
                break
            }
            _ = try AccountWriter(location, fileSystem: fileSystem)
            let found = try read(location)
            #expect(found?.json == Self.settings || found?.networkConfig == config)
            try fileSystem.removeTree(location.directory)
            position += 1
        }
    }
}
