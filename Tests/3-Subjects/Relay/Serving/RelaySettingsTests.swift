import SystemPackage
import Testing
import ValiseXFTPWire

@testable import ValiseRelay

/// The file of settings in the form of the official relay (XFTP fact sheet, §9.3).
struct RelaySettingsTests {
    private static let folder: FilePath = "/srv/relay"

    private static func read(_ text: String) throws -> RelaySettings {
        try RelaySettings(text, folder: folder)
    }

    /// What is wrong with a text, as the operator gets it.
    private static func fault(_ text: String) -> String? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `what is written is read again`() throws {
        var settings = RelaySettings(
            hosts: [.domain("relay.example.org"), .onion("abc234.onion")], port: 5443, files: "/srv/files",
            quota: 100 << 30)
        #expect(try Self.read(settings.text) == settings)
        settings.keepsLog = false
        settings.lifetime = 24
        settings.logsStatistics = true
        settings.prometheusInterval = 60
        settings.acceptsNewFiles = false
        settings.password = RelayPassword("s3cret")
        settings.idleTime = 21_600
        settings.web = .init(certificate: "/etc/web.crt", key: "/etc/web.key")
        settings.quota = nil
        settings.listen = "::"
        settings.mostNames = 5_000_000
        settings.connections = 300
        settings.connectionsPerAddress = 200
        #expect(try Self.read(settings.text) == settings)
        settings.identity = "/etc/relay"
        settings.store = RelayStoreChoice(records: .postgres, bodies: .s3)
        var database = RelaySettings.Database(address: "postgresql://relay@/relay?host=/run/postgresql")
        database.schema = "second"
        database.connections = 32
        database.passwordFile = "/etc/relay/database"
        settings.database = database
        var objects = RelaySettings.Objects(
            endpoint: "https://s3.example.org:9000", bucket: "chunks", accessKey: "key: one",
            secretKeyFile: "/etc/relay/s3")
        objects.prefix = "a/b"
        objects.region = "eu-west-3"
        objects.isPathStyle = false
        objects.authorities = "/etc/relay/authorities.pem"
        objects.expiryDays = 7
        settings.objects = objects
        #expect(try Self.read(settings.text) == settings)
        settings.idleTime = nil
        #expect(settings.text.contains("disconnect = off"))
        #expect(try Self.read(settings.text) == settings)
    }

    @Test func `a file of the official relay is taken where it asks for the same`() throws {
        let settings = try Self.read(
            """
            [INFORMATION]
            source_code: https://example.org/source

            [STORE_LOG]
            # The server uses memory or a database.
            enable: on
            store_files: memory
            # db_connection: postgresql://xftp@/xftp_server_store
            db_store_log: off
            expire_files_hours: 48
            log_stats: off

            [AUTH]
            new_files: on
            # create_password: password

            [TRANSPORT]
            host: relay.example.org
            port: 443
            log_tls_errors: off

            [FILES]
            path: /srv/xftp
            storage_quota: 100gb

            [INACTIVE_CLIENTS]
            disconnect: off
            # ttl: 21600

            [WEB]
            static_path: /var/opt/simplex-xftp/www
            """)
        #expect(settings.hosts == [.domain("relay.example.org")] && settings.quota == 107_374_182_400)
        #expect(settings.files == "/srv/xftp" && settings.lifetime == 48 && settings.idleTime == nil)
        #expect(settings.ignored.count == 3 && settings.ignored[0] == "line 2 ([INFORMATION] source_code)")
    }

    @Test func `a database and a bucket may be named before they are used`() throws {
        let database = "[STORE_LOG]\ndb_connection = host=/run/postgresql dbname=relay\n"
        let bucket =
            "[OBJECTS]\nendpoint = https://s3.example.org\nbucket = b\naccess_key = k\n"
            + "secret_key_file = secret\n"
        let settings = try Self.read(Self.least + database + bucket)
        #expect(settings.store == RelayStoreChoice() && settings.ignored.isEmpty)
        #expect(settings.database?.address == "host=/run/postgresql dbname=relay")
        #expect(settings.objects?.secretKeyFile == "/srv/relay/secret")
        let used = try Self.read(
            Self.least + "bodies = s3\n" + database + "store_files = database\n" + bucket)
        #expect(used.store == RelayStoreChoice(records: .postgres, bodies: .s3))
        let lacking: [(String, String)] = [
            (Self.least + "bodies = s3\n", "'endpoint' in [OBJECTS]"),
            (Self.least + bucket.replacing("bucket = b\n", with: ""), "'bucket' in [OBJECTS]"),
            (Self.least + "[STORE_LOG]\nstore_files = database\n", "'db_connection' in [STORE_LOG]"),
        ]
        for (text, missing) in lacking { #expect(Self.fault(text)?.contains("missing \(missing)") == true) }
        for line in ["store_files = disk", "db_pool_size = 1", "db_store_log = on", "db_schema ="] {
            #expect(Self.fault(Self.least + "[STORE_LOG]\n\(line)\n")?.contains(line.prefix(8)) == true)
        }
    }

    @Test func `where a store is has a text of two words`() {
        for records in RelayStoreChoice.Records.allCases {
            for bodies in RelayStoreChoice.Bodies.allCases {
                let choice = RelayStoreChoice(records: records, bodies: bodies)
                #expect(RelayStoreChoice(text: choice.text) == choice)
            }
        }
        #expect(RelayStoreChoice(text: "s3") == RelayStoreChoice(bodies: .s3))
        #expect(RelayStoreChoice(text: "postgres") == RelayStoreChoice(records: .postgres))
        for text in ["", "+", "s3+postgres", "postgres+postgres", "postgres+s3+folder", "disk"] {
            #expect(RelayStoreChoice(text: text) == nil)
        }
    }

    @Test func `connections are closed after ten minutes, or as the file says, or never`() throws {
        let read = { try Self.read(Self.least + "[INACTIVE_CLIENTS]\n" + $0).idleTime }
        #expect(try Self.read(Self.least).idleTime == 600)
        #expect(try read("disconnect = on\n") == 600)
        #expect(try read("disconnect = on\nttl = 50\n") == 50)
        #expect(try read("disconnect = off\nttl = 50\n") == nil)
    }

    @Test(
        arguments: [
            // As the official relay reads them.
            ("20gb", 20 << 30), ("20GB", 20 << 30), ("512kb", 512 << 10), ("65536", 65_536),
            // As options do.
            ("20 GB", 20_000_000_000), ("20 gb", 20_000_000_000), ("18.6 GiB", 19_971_597_926),
            ("18.6gib", 19_971_597_926), ("1.5 TB", 1_500_000_000_000),
        ] as [(String, Int64)])
    func `a quota is read as the official relay reads it, or as an option`(text: String, size: Int64) throws {
        #expect(try Self.read(Self.least + "storage_quota = \(text)\n").quota == size)
    }

    @Test(arguments: ["1.5gb", "20g", "1tb", "-1", "gb", "20 GB or so"])
    func `a quota of two meanings, or of none, is refused`(text: String) {
        let fault = Self.fault(Self.least + "storage_quota = \(text)\n")
        #expect(fault?.contains("is not a size such as") == true)
    }

    @Test func `the file tells the meaning of its units, and the size of the quota`() throws {
        let settings = RelaySettings(hosts: [.domain("a.example")], files: "/srv", quota: 10_000_000_000)
        #expect(settings.text.contains("powers of 1024"))
        #expect(settings.text.contains("\n# 9765625kb is 10.0 GB.\nstorage_quota = 9765625kb\n"))
    }

    private static let least = "[TRANSPORT]\nhost = a.example\n[FILES]\npath = files\n"

    @Test func `the least is a host and a place`() throws {
        let settings = try Self.read(Self.least)
        #expect(settings.files == "/srv/relay/files" && settings.port == 443 && settings.acceptsNewFiles)
        #expect(Self.fault("[FILES]\npath = files\n")?.contains("'host' in [TRANSPORT]") == true)
        #expect(Self.fault("[TRANSPORT]\nhost = a.example\n")?.contains("'path' in [FILES]") == true)
        #expect(Self.fault(Self.least + "[WEB]\ncert = x\n")?.contains("'key' in [WEB]") == true)
    }

    @Test func `connections of one address are fewer than all`() throws {
        let read = { try Self.read(Self.least + "[TRANSPORT]\n" + $0) }
        let usual = try Self.read(Self.least)
        #expect(usual.connections == 1000 && usual.connectionsPerAddress == 100)
        #expect(try read("connections = 50\n").connectionsPerAddress == 25)
        #expect(try read("connections_per_address = 999\n").connectionsPerAddress == 999)
        #expect(
            Self.fault(Self.least + "[TRANSPORT]\nconnections_per_address = 1000\n")?.contains("less than")
                == true)
    }

    @Test(arguments: [
        ("relay.example.org", "0.0.0.0"), ("192.0.2.1", "0.0.0.0"), ("127.0.0.1", "127.0.0.1"),
        ("127.1.2.3", "127.1.2.3"), ("localhost", "127.0.0.1"), ("LOCALHOST", "127.0.0.1"), ("[::1]", "::1"),
        ("127.0.0.1,localhost", "127.0.0.1"), ("127.0.0.1,relay.example.org", "0.0.0.0"),
        ("localhost.example.org", "0.0.0.0"),
    ])
    func `a relay for this machine alone listens there, unless told otherwise`(
        hosts: String, listen: String
    ) throws {
        let text = "[FILES]\npath = files\n[TRANSPORT]\nhost = \(hosts)\n"
        let settings = try Self.read(text)
        #expect(settings.listen == listen)
        #expect(try Self.read(text + "listen = 0.0.0.0\n").listen == "0.0.0.0")
        #expect(RelaySettings(hosts: settings.hosts, files: "/srv").listen == listen)
    }

    @Test(arguments: [
        ("[STORE_LOG]\nexpire = 3", "line 6 ([STORE_LOG] expire): unknown key"),
        ("[STORE_LOG]\nstore_files = disk", "line 6"),
        ("[AUTH]\nnew_files = yes", "neither 'on' nor 'off'"),
        ("[AUTH]\ncreate_password = a b", "line 6"),
        ("[AUTH]\ncontrol_port_admin_password = x", "control socket"),
        ("[TRANSPORT]\ncontrol_port = 5226", "control port"), ("[TRANSPORT]\nport = 65536", "65535"),
        ("[TRANSPORT]\nconnections = 1", "2 to 100000"), ("[TRANSPORT]\nconnections_per_address = 0", "1 to"),
        ("[FILES]\nmost_names = 999", "1000 to 100000000"), ("[FILES]\nstorage_quota = much", "not a size"),
        ("[WEB]\nhttps = 443", "web pages"), ("[TRANSPORT]\nhost = a,b\u{301}", "xn--"),
        ("[FILES]\npath = a\0b", "line 6: contains a control character"),
        ("[FILES]\npath = /a /", "end with a space"),
        ("[OTHER]\nx = 1", "unknown key"), ("nonsense", "line 5: neither"),
        ("[STORE_LOG]\nexpire_files_hours = 0", "line 6"), ("[TRANSPORT]\nhost = a b,c/d", "line 6"),
    ])
    func `what is not done is refused with its line`(text: String, expected: String) {
        #expect(
            Self.fault(Self.least + text)?.contains(expected) == true,
            "\(Self.fault(Self.least + text) ?? "")")
    }

    @Test func `a value begins behind the separator, also with a sign that is written over others`() throws {
        let settings = try Self.read(Self.least + "[FILES]\npath =\u{301}a\u{301} \t")
        #expect(settings.files == "/srv/relay/\u{301}a\u{301}")
        #expect(try Self.read(settings.text).files == settings.files)
    }

    @Test func `all faults are told at once`() {
        let fault = Self.fault(Self.least + "[A]\nx = 1\n[B]\ny = 2\n")
        #expect(fault?.contains("line 6") == true && fault?.contains("line 8") == true)
    }
}
