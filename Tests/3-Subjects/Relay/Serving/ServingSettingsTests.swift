import SystemPackage
import Testing
import ValiseXFTPWire

@testable import ValiseRelay

/// Settings of how a relay serves, which the official one has not.
struct ServingSettingsTests {
    private static func read(_ transport: String, limits: String = "") throws -> ServingSettings {
        try RelaySettings(
            "[TRANSPORT]\nhost = relay.example.org\n\(transport)\n[FILES]\npath = /srv\n[LIMITS]\n\(limits)\n",
            folder: "/srv/relay"
        ).serving
    }

    @Test func `what is written is read again`() throws {
        var settings = RelaySettings(hosts: [.domain("relay.example.org")], files: "/srv/files")
        #expect(try RelaySettings(settings.text, folder: "/srv/relay") == settings)
        settings.serving.threads = 12
        settings.serving.drainDelay = 20
        settings.serving.stopTime = 90
        settings.serving.logsAddresses = true
        settings.serving.proxies = AddressRanges("10.0.0.1, 2001:db8::/32")
        settings.serving.metricsPort = 9443
        settings.serving.metricsListen = "10.0.0.2"
        settings.serving.rates.upload = 100 << 20
        settings.serving.rates.download = 123_456_789
        settings.serving.rates.newFiles = 100_000
        settings.serving.ratesPerAddress.upload = 64 << 10
        settings.serving.ratesPerAddress.download = 10 << 20
        settings.serving.ratesPerAddress.newFiles = 1
        #expect(try RelaySettings(settings.text, folder: "/srv/relay") == settings)
        settings.serving.proxies = .loopback
        #expect(try RelaySettings(settings.text, folder: "/srv/relay") == settings)
    }

    @Test func `a relay without them has no limits on traffic, no proxies and no metrics`() throws {
        let settings = try Self.read("")
        #expect(settings == ServingSettings())
        #expect(
            settings.proxies == nil && settings.metricsPort == nil && settings.metricsListen == "127.0.0.1")
        #expect(settings.rates.isUnlimited && settings.ratesPerAddress.isUnlimited && !settings.logsAddresses)
        #expect(RelayLimits().threads >= 4)
    }

    @Test func `proxies are on this machine unless the operator says otherwise`() throws {
        #expect(try Self.read("proxy_protocol = on").proxies == .loopback)
        #expect(
            try Self.read("proxy_addresses = 10.0.0.1\nproxy_protocol = on").proxies
                == AddressRanges("10.0.0.1"))
        #expect(try Self.read("proxy_protocol = off").proxies == nil)
        #expect(throws: XFTPRelayError.self) { try Self.read("proxy_addresses = 10.0.0.1") }
        #expect(throws: XFTPRelayError.self) {
            try Self.read("proxy_protocol = off\nproxy_addresses = 10.0.0.1")
        }
    }

    @Test(arguments: [
        "threads = 0", "threads = 2000", "drain_delay = -1", "drain_delay = 3601", "stop_time = x",
        "log_addresses = yes", "proxy_protocol = v2", "proxy_addresses = relay", "metrics_port = 65536",
    ])
    func `what cannot be followed is refused`(line: String) {
        #expect(throws: XFTPRelayError.self) { try Self.read(line) }
    }

    @Test(arguments: [
        "upload_rate = 10", "upload_rate = 10 apples", "download_rate_per_address = 63kb",
        "new_files_per_hour = 0", "new_files_per_hour_per_address = -1", "connections = 5", "unknown = 1",
    ])
    func `limits that cannot be held are refused`(line: String) {
        #expect(throws: XFTPRelayError.self) { try Self.read("", limits: line) }
    }

    @Test func `rates have the units of the quota`() throws {
        let settings = try Self.read("", limits: "upload_rate = 10mb\ndownload_rate_per_address = 1 MB")
        #expect(settings.rates.upload == 10 << 20 && settings.ratesPerAddress.download == 1_000_000)
    }
}
