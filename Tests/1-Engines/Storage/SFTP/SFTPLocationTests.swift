import Testing
import ValiseFailures

@testable import ValiseStorage

struct SFTPLocationTests {
    /// What an address says, and how it is written as a URL.
    private static let addresses:
        [(text: String, user: String?, host: String, port: Int?, path: String, url: String)] =
            [
                ("sftp://host/path", nil, "host", nil, "path", "sftp://host/path"),
                ("sftp://host//srv/path", nil, "host", nil, "/srv/path", "sftp://host//srv/path"),
                ("sftp://me@host:2222//srv/r/", "me", "host", 2222, "/srv/r", "sftp://me@host:2222//srv/r"),
                ("SFTP://me@Host/a", "me", "Host", nil, "a", "sftp://me@Host/a"),
                ("sftp://me%40home@host/a%20b", "me@home", "host", nil, "a b", "sftp://me%40home@host/a%20b"),
                ("sftp://me@home@host/a", "me@home", "host", nil, "a", "sftp://me%40home@host/a"),
                ("sftp://[::1]:22//r", nil, "::1", 22, "/r", "sftp://[::1]:22//r"),
                ("sftp://u@[fe80::1%25eth0]/r", "u", "fe80::1%eth0", nil, "r", "sftp://u@[fe80::1%25eth0]/r"),
                ("sftp://host/a:b@c", nil, "host", nil, "a:b@c", "sftp://host/a%3Ab%40c"),
                ("sftp://host//", nil, "host", nil, "/", "sftp://host//"),
                ("sftp://host/%C3%A4", nil, "host", nil, "ä", "sftp://host/%C3%A4"),
                ("sftp:host:path", nil, "host", nil, "path", "sftp://host/path"),
                ("sftp:me@host:/srv/a b", "me", "host", nil, "/srv/a b", "sftp://me@host//srv/a%20b"),
                ("sftp:host:/a%20b", nil, "host", nil, "/a%20b", "sftp://host//a%2520b"),
                ("sftp:host:a:b", nil, "host", nil, "a:b", "sftp://host/a%3Ab"),
                ("sftp:me@host:a@b", "me", "host", nil, "a@b", "sftp://me@host/a%40b"),
                ("sftp:me@[::1]:r///", "me", "::1", nil, "r", "sftp://me@[::1]/r"),
                ("sftp:host:/", nil, "host", nil, "/", "sftp://host//"),
            ]

    @Test func `addresses are read as restic writes them, and written as URLs`() throws {
        for expected in Self.addresses {
            let found = try SFTPLocation(expected.text)
            #expect(found.user == expected.user, "\(expected.text)")
            #expect(found.host == expected.host, "\(expected.text)")
            #expect(found.port == expected.port, "\(expected.text)")
            #expect(found.path == expected.path, "\(expected.text)")
            #expect(found.text == expected.url)
            #expect(try SFTPLocation(found.text) == found)
        }
    }

    @Test(arguments: [
        "", "sftp", "sftp:", "sftp://", "sftp:///path", "sftp://host", "sftp://host/", "sftp:host",
        "sftp:host:",
        "sftp::path", "sftp:@host:path", "sftp://@host/path", "http://host/path", "/a/folder", "host:path",
        "sftp://host:0/path", "sftp://host:65536/path", "sftp://host:ssh/path", "sftp://host:/path",
        "sftp://-oProxyCommand=reboot/path", "sftp:-oProxyCommand=reboot:path", "sftp://-l@host/path",
        "sftp:-l@host:path", "sftp://%2Dl@host/path", "sftp://%2Dhost/path", "sftp:a b@host:path",
        "sftp:ho st:path", "sftp://host%0A/path", "sftp://host/pa%00th", "sftp://host/pa%0Ath",
        "sftp://host/%",
        "sftp://host/%4", "sftp://host/%zz", "sftp://host/%ff", "sftp://[::1/path", "sftp://::1/path",
        "sftp:[::1:path", "sftp:host:~/path", "sftp://host/~me/path", "sftp:host;reboot:path",
        "sftp:$(a):path",
        "sftp://user%00@host/path",
    ])
    func `other addresses are refused`(text: String) {
        let found = storageFailure { _ = try SFTPLocation(text) }
        #expect(found?.code == .invalid && found?.isTransient == false)
    }

    @Test func `a password in an address is refused and not repeated`() {
        for text in ["sftp://me:sesame@host/path", "sftp:me:sesame@host:path", "sftp://me:sesame@host:22//p"]
        {
            let found = storageFailure { _ = try SFTPLocation(text) }
            #expect(found?.code == .invalid)
            #expect(found?.description.contains("sesame") == false)
        }
    }

    @Test func `ssh is told host, port and user, and that no options follow`() throws {
        let command = SFTPCommand(ssh: try SFTPLocation("sftp://me@host:2222//srv"), options: ["-F", "file"])
        #expect(command.program == "ssh")
        #expect(command.arguments.prefix(2) == ["-F", "file"])
        #expect(command.arguments.suffix(8) == ["-p", "2222", "-l", "me", "-s", "--", "host", "sftp"])
        #expect(command.arguments.contains("ServerAliveInterval=30"))
        #expect(!command.arguments.contains { $0.hasPrefix("BatchMode") })
        let short = SFTPCommand(ssh: try SFTPLocation("sftp:host:path"))
        #expect(short.arguments.suffix(3) == ["--", "host", "sftp"] && !short.arguments.contains("-l"))
    }

    @Test func `paths are joined with one slash`() throws {
        #expect(try SFTPLocation("sftp:host:/").path(of: "config") == "/config")
        #expect(try SFTPLocation("sftp:host:a/b").path(of: "keys/1") == "a/b/keys/1")
        let store = SFTPStore(try SFTPLocation("sftp://me@host//srv/r"))
        #expect(store.location == "sftp://me@host//srv/r")
        #expect(store.subject("/srv/r/data/0a/0a") == "sftp://me@host//srv/r/data/0a/0a")
        #expect(SFTPStore(try SFTPLocation("sftp:h:/")).subject("/config") == "sftp://h//config")
    }
}
