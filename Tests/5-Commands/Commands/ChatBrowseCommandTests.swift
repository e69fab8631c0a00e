import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// `valise chat browse` as a browser sees it.
struct ChatBrowseCommandTests {
    private let world: CoreWorld
    /// All folders that the program may write to.
    private let home: FilePath
    private let environment: [String: String]

    init() throws {
        world = try CoreWorld(.alice)
        home = world.folder.appending("home")
        let folders = ["tmp", "data", "state", "config", "cache", "run"]
        for name in folders { try FileSystem().makeDirectories(home.appending(name)) }
        let root = home
        func path(_ name: String) -> String { root.appending(name).string }
        environment = [
            "HOME": root.string, "TMPDIR": path("tmp"), "XDG_DATA_HOME": path("data"),
            "XDG_STATE_HOME": path("state"), "XDG_CONFIG_HOME": path("config"),
            "XDG_CACHE_HOME": path("cache"),
        ]
    }

    private func browse(_ source: String, _ more: [String] = []) throws -> RunningBrowse {
        try RunningBrowse([source] + world.key + more, environment: environment)
    }

    /// As a browser that opens the address.
    private func enter(_ running: RunningBrowse) throws -> BrowsingClient {
        var client = BrowsingClient(port: running.port)
        let entrance = try client.ask(running.entrance)
        #expect(entrance.status == 200 && entrance.text.contains("content=\"0; url=/\""), "\(entrance)")
        let cookie = try #require(entrance.fields["set-cookie"])
        #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        client.cookie = String(cookie.prefix { $0 != ";" })
        return client
    }

    /// The pages of all conversations, by their addresses.
    private func pages(_ client: BrowsingClient) throws -> [String: String] {
        let index = try client.ask("/")
        #expect(index.status == 200)
        var pages: [String: String] = [:]
        for link in index.text.matches(of: #/href="(pages/[^"]+/latest\.html)"/#) {
            let latest = try client.ask("/\(link.1)")
            let target = try #require(latest.fields["location"])
            #expect(latest.status == 302)
            let page = try client.ask(target)
            #expect(page.status == 200 && page.fields["content-type"] == "text/html; charset=utf-8")
            pages[target] = page.text
        }
        return pages
    }

    // MARK: Who may see them

    @Test func `only the browser that opens the address first sees anything`() throws {
        let running = try browse(world.source)
        let stranger = BrowsingClient(port: running.port)
        for target in ["/", "/index.html", "/web/page.js", "/search.html?q=a", "/?token=wrong", "/none"] {
            #expect(try stranger.ask(target).status == 403, "\(target)")
        }
        #expect(try stranger.ask(running.entrance, host: "example.org").status == 403)
        #expect(try stranger.ask(running.entrance, host: nil).status != 200)
        #expect(try stranger.ask(running.entrance, method: "HEAD").status == 403)
        let client = try enter(running)
        #expect(try stranger.ask(running.entrance).status == 403, "the address works twice")
        let index = try client.ask("/")
        #expect(index.status == 200 && index.text.contains("latest.html"))
        #expect(try client.ask("/", host: "example.org").status == 403)
        #expect(try client.ask("/", host: "localhost").status == 200)
        #expect(try client.ask("/", ["Origin": "http://127.0.0.1:1"]).status == 403)
        #expect(try client.ask("/", ["Sec-Fetch-Site": "same-site"]).status == 403)
        let posted = try client.ask("/", ["Content-Length": "0"], method: "POST")
        #expect(posted.status == 405 && posted.fields["allow"] == "GET, HEAD")
        let head = try client.ask("/", method: "HEAD")
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(head.fields["content-length"] == index.fields["content-length"])
        let end = running.interrupt()
        #expect(end.status == 0 && end.errors.contains("Press Control-C to stop."), "\(end.errors)")
    }

    @Test func `answers say what a browser may do with them`() throws {
        let running = try browse(world.source)
        let client = try enter(running)
        let index = try client.ask("/")
        let policy = try #require(index.fields["content-security-policy"])
        for part in [
            "default-src 'none'", "script-src 'self'", "form-action 'self'", "frame-ancestors 'none'",
        ] {
            #expect(policy.contains(part), "\(policy)")
        }
        for target in ["/", "/web/style.css", "/none", "/../etc/passwd"] {
            let answer = try client.ask(target)
            #expect(answer.fields["cache-control"] == "no-store")
            #expect(answer.fields["x-content-type-options"] == "nosniff")
            #expect(answer.fields["referrer-policy"] == "no-referrer")
            #expect(answer.fields["x-dns-prefetch-control"] == "off")
            #expect(answer.fields["x-frame-options"] == "DENY")
            #expect(answer.fields["cross-origin-resource-policy"] == "same-origin")
        }
        #expect(try client.ask("/web/style.css").fields["content-type"] == "text/css; charset=utf-8")
        #expect(try client.ask("/none").status == 404)
        #expect(try client.ask("/../etc/passwd").status == 400)
    }

    // MARK: What is shown

    @Test func `pages, files and a search of an archive, and nothing of it on a disk`() throws {
        let running = try browse(world.source)
        let client = try enter(running)
        let pages = try pages(client)
        #expect(pages.values.contains { $0.contains("quiet harbour ember paper") })
        #expect(pages.values.contains { $0.contains("first note harbour meadow") })

        let known = try world.decryptedMedia(from: world.source, world.key).values.compactMap { $0 }
        let links = Set(
            pages.values.flatMap {
                $0.matches(of: #/(?:src|href)="\.\./\.\./(media/[^"]+)"/#).map { String($0.1) }
            })
        #expect(links.count >= 4)
        for link in links {
            let file = try client.ask("/\(link)")
            #expect(file.status == 200 && known.contains(file.body), "\(link)")
            try expectRanges(client, link, file)
        }
        #expect(try client.ask("/media/999999/x.png").status == 404)

        let found = try client.ask("/search.html?q=violet+meadow")
        #expect(found.status == 200 && found.text.contains("<mark>violet</mark>"), "\(found.text)")
        let link = try #require(found.text.firstMatch(of: #/<li><a href="([^"]+)"/#))
        let hit = link.1.replacing("&amp;", with: "&")
        let place = try client.ask("/\(hit)")
        #expect(place.status == 302 && place.fields["location"]?.contains("#m-") == true)

        try expectNothingLeft()
        #expect(running.interrupt().status == 0)
        try expectNothingLeft()
    }

    private func expectRanges(_ client: BrowsingClient, _ link: String, _ whole: BrowsingAnswer) throws {
        let size = whole.body.count
        try #require(size > 12, "\(link)")
        let part = try client.ask("/\(link)", ["Range": "bytes=3-12"])
        #expect(part.status == 206 && part.body == Array(whole.body[3...12]), "\(link)")
        #expect(part.fields["content-range"] == "bytes 3-12/\(size)")
        let end = try client.ask("/\(link)", ["Range": "bytes=-5"])
        #expect(end.status == 206 && end.body == Array(whole.body.suffix(5)))
        let behind = try client.ask("/\(link)", ["Range": "bytes=\(size)-"])
        #expect(behind.status == 416 && behind.fields["content-range"] == "bytes */\(size)")
        #expect(try client.ask("/\(link)", ["Range": "bytes=0-1,4-5"]).body == whole.body)
        #expect(whole.fields["accept-ranges"] == "bytes")
        let isShown = ["jpg", "m4a", "mp4"].contains { link.hasSuffix(".\($0)") }
        let disposition = try #require(whole.fields["content-disposition"])
        #expect(disposition.hasPrefix(isShown ? "inline" : "attachment"), "\(link): \(disposition)")
        if !isShown { #expect(whole.fields["content-type"] == "application/octet-stream") }
    }

    /// Texts of messages and names of files, and anything at all.
    private func expectNothingLeft() throws {
        let files = try #require(FileManager.default.enumerator(atPath: home.string))
        for case let name as String in files {
            let path = home.appending(name).string
            guard let content = FileManager.default.contents(atPath: path) else { continue }
            for marker in ["harbour", "lantern", "IMG_1", "voice_1", "http://"] {
                #expect(content.range(of: Data(marker.utf8)) == nil, "\(name) has \(marker)")
            }
        }
        let temporary = try FileManager.default.contentsOfDirectory(atPath: home.appending("tmp").string)
        #expect(temporary.isEmpty, "\(temporary)")
    }

    @Test func `an account in a folder and its export show the same texts`() throws {
        let export = world.path("export")
        let made = try world.valise("chat", "export", world.account, export)
        #expect(made.status == 0 || made.status == 3, "\(made.errors)")
        var shown: [[String: [String]]] = []
        for source in [world.account, export] {
            let key = source == export ? [] : world.key
            let running = try RunningBrowse([source] + key, environment: environment)
            let client = try enter(running)
            let pages = try pages(client)
            shown.append(
                pages.mapValues {
                    $0.matches(of: #/<div class="t" dir="auto">(.*?)</div>/#).map { String($0.1) }
                })
            let links = pages.values.compactMap { $0.firstMatch(of: #/src="\.\./\.\./(media/[^"]+)"/#)?.1 }
            let link = try #require(links.first)
            #expect(try client.ask("/\(link)", ["Range": "bytes=0-3"]).status == 206)
            #expect(running.interrupt().status == 0)
        }
        #expect(shown[0] == shown[1])
        #expect(shown[0].values.contains { $0.count > 10 })
    }

    @Test func `some chats alone can be shown`() throws {
        let running = try browse(world.source, ["--chat", "notes-1"])
        let pages = try pages(try enter(running))
        #expect(pages.count == 1 && pages.keys.allSatisfy { $0.hasPrefix("/pages/notes-1/") })
        let error = #expect(throws: RunningBrowse.Failed.self) {
            try browse(world.source, ["--chat", "@nobody-there"])
        }
        #expect(error?.text.contains("no chat has this name") == true)
    }

    // MARK: Beginning and end

    @Test func `it ends by itself when no page is opened`() throws {
        let running = try browse(world.source, ["--idle", "1s"])
        let end = running.end()
        #expect(end.status == 0 && end.errors.contains("no page was opened for 1 second"), "\(end.errors)")
    }

    @Test func `a port that another program has is named`() throws {
        let running = try browse(world.source)
        let error = #expect(throws: RunningBrowse.Failed.self) {
            try browse(world.source, ["--port", "\(running.port)"])
        }
        #expect(
            error?.text.contains("another program is listening on 127.0.0.1, port \(running.port)") == true)
    }

    @Test func `connections that are open do not hold up the end`() throws {
        let running = try browse(world.source)
        let client = try enter(running)
        let waiting = try ["", "GET / HTTP/1.1\r\nHost:"].map { try client.connected(sending: $0) }
        defer { for descriptor in waiting { close(descriptor) } }
        #expect(try client.ask("/").status == 200)
        #expect(running.interrupt().status == 0)
        #expect(throws: (any Error).self) { try client.ask("/") }
    }

    /// The system's program is one that keeps what it was started with.
    @Test func `a browser is started with a page that only this user can read`() throws {
        let programs = world.folder.appending("programs")
        let seen = world.folder.appending("seen")
        try FileSystem().makeDirectories(programs)
        let script = """
            #!/bin/sh
            { stat -c %a "$1" "$(dirname "$1")"; echo "$1"; cat "$1"; } > \(seen).part
            mv \(seen).part \(seen)
            """
        try FileSystem().replace(
            programs.appending("xdg-open"), with: Array(script.utf8), permissions: [.ownerReadWriteExecute])
        var environment = environment
        environment["PATH"] = "\(programs):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let running = try RunningBrowse([world.source, "--open"] + world.key, environment: environment)
        let end = Date(timeIntervalSinceNow: 30)
        while !FileManager.default.fileExists(atPath: seen.string), Date() < end {
            Thread.sleep(forTimeInterval: 0.05)
        }
        let text = String(decoding: try FileSystem().contents(of: seen, limit: 1 << 16), as: UTF8.self)
        let lines = text.split(separator: "\n", maxSplits: 3).map(String.init)
        #expect(lines.prefix(2) == ["600", "700"], "\(text)")
        #expect(lines[2].hasPrefix(home.appending("tmp").string))
        #expect(lines[3].contains("url=\(running.address)"))
        #expect(FileManager.default.fileExists(atPath: lines[2]))
        _ = try enter(running)
        try expectNothingLeft()
        #expect(running.interrupt().status == 0)
    }
}
