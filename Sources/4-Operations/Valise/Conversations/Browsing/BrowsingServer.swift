import Synchronization
import ValiseMounting

/// Gives pages to browsers of this machine.
final class BrowsingServer: Sendable {
    let access: BrowsingAccess
    let desk: PageDesk
    /// What leads to the address, until it is used up.
    private let browser = Mutex<BrowserStart?>(nil)
    private let server: LocalServer

    var activity: ServerActivity { server.activity }

    /// Begins to listen. Nobody is answered before ``run()``.
    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - desk: makes the pages.
    /// - Throws: `LocalServerError`: `inUse`, `denied`, `failed`.
    static func start(port: Int, desk: PageDesk) async throws -> BrowsingServer {
        BrowsingServer(try await LocalServer.start(port: port), desk)
    }

    private init(_ server: LocalServer, _ desk: PageDesk) {
        access = BrowsingAccess(port: server.port)
        self.server = server
        self.desk = desk
    }

    /// Answers until the task is cancelled; then nothing is left open.
    func run() async {
        await server.run { channel, requests in
            try await BrowsingConnection(self, channel).run(requests)
        }
    }

    /// Remembers what leads to the address. It is removed when the address is used up.
    func remember(_ start: BrowserStart) { browser.withLock { $0 = start } }

    /// Removes what led to the address.
    func removeBrowserStart() {
        let start = browser.withLock { browser in
            defer { browser = nil }
            return browser
        }
        start?.remove()
    }
}
