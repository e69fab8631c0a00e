import ValiseChatLog
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMounting

/// Shows conversations and their files in a browser of this machine, until the task is cancelled or nothing was asked for a
/// while. Pages are made and files decrypted in memory: nothing of either is written to a disk.
package struct BrowseConversations: Operation {
    package var input: ConversationInput
    /// The one to listen on; 0 for any that is free.
    package var port = 0
    /// It ends when nothing was asked for as long as this.
    package var idleLimit: Duration = .seconds(1800)
    /// Whether the system's browser is started.
    package var opensBrowser = false
    /// Is told as soon as pages can be opened; ends it by throwing.
    package var started: @Sendable (StartedBrowsing) async throws -> Void

    package init(
        _ input: ConversationInput, started: @escaping @Sendable (StartedBrowsing) async throws -> Void
    ) {
        self.input = input
        self.started = started
    }

    /// - Throws: also `LocalServerError` where the port cannot be listened on: `inUse`, `denied`.
    package func run(in context: OperationContext) async throws {
        let desk = PageDesk()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { desk.close() }
                try await read(desk, context)
            }
            group.addTask {
                defer { desk.close() }
                // Otherwise the reading says why.
                if try await desk.isOpen { try await serve(desk, context) }
            }
            try await group.waitForAll()
        }
    }

    // MARK: Reading

    /// Reads what is asked for, on a thread of its own.
    private func read(_ desk: PageDesk, _ context: OperationContext) async throws {
        try await input.read(to: "show its messages", takesLong: true, in: context) {
            [input] source, account, _ in
            var damaged = 0
            let conversations = try input.conversations(of: source) { _ in damaged += 1 }
            if damaged > 0 { context.note(BrowsingNote.damaged(damaged)) }
            if let log = source as? SessionLog {
                return desk.work(
                    with: try Self.pages(log, conversations, SessionServedFiles(try log.files())))
            }
            guard let log = source as? ChatLog, let account else {
                // It is not brought up to date meanwhile.
                guard let lock = try DirectoryLock(input.path, .shared) else {
                    throw OperationError(.inUse, "in use by an export", subject: input.path.string)
                }
                desk.work(with: try Self.pages(source, conversations, ExportFiles(input.path)))
                return withExtendedLifetime(lock) {}
            }
            desk.work(with: try Self.pages(log, conversations, AccountFiles(log, account.reader.media)))
        }
    }

    private static func pages(
        _ source: any ConversationSource, _ conversations: [Conversation], _ files: any ServedFiles
    ) throws -> ServedPages {
        ServedPages(source, conversations, files: files, HTMLOptions(templates: try PageTemplates()))
    }

    // MARK: Serving

    private func serve(_ desk: PageDesk, _ context: OperationContext) async throws {
        let server = try await BrowsingServer.start(port: port, desk: desk)
        try await ServiceRun.run([LoopService { await server.run() }]) {
            defer { server.removeBrowserStart() }
            if opensBrowser { try await startBrowser(for: server, context) }
            try await started(StartedBrowsing(address: server.access.address, port: server.access.port))
            if await server.activity.isIdle(for: idleLimit) { context.note(BrowsingNote.idle(idleLimit)) }
        }
    }

    private func startBrowser(for server: BrowsingServer, _ context: OperationContext) async throws {
        try await BlockingExecutor.shared.run {
            let browser = try BrowserStart(server.access.address, temporary: context.folders.temporary)
            server.remember(browser)
            if !browser.start() { context.note(BrowsingNote.noBrowser) }
        }
    }
}

/// Pages that can be opened.
package struct StartedBrowsing: OperationReport {
    package let type = "chatBrowsing"
    /// Lets the browser that opens it first see the pages, and no other.
    package let address: String
    /// The one it listens on.
    package let port: Int
}

/// What is told while conversations are browsed.
package enum BrowsingNote: OperationNote {
    /// Nothing was asked for as long as this.
    case idle(Duration)
    /// So many conversations cannot be read.
    case damaged(Int)
    /// There is no program that opens pages.
    case noBrowser

    package var text: String {
        switch self {
        case .idle(let limit):
            "stopped: no page was opened for \(TimeSpanText.words(limit.components.seconds))"
        case .damaged(let count): "\(Count.text(count, "chat")) cannot be read"
        case .noBrowser: "cannot start a browser"
        }
    }
}
