import Testing

/// Threads, bridges and what the compiler is told to believe (decision 0043).
struct ConcurrencyRulesTests {
    private static let module = "/0-Ground/Concurrency/"

    @Test func `threads, and bridges to tasks, are in one module, and five at most`() throws {
        let primitives = #/\bDispatch(Queue|Semaphore|Group|WorkItem|Source)\b|\bpthread_create\b|\bThread\(/#
        let bridges =
            #/\bwith(Checked|Unsafe)(Throwing)?Continuation\b|\bTask\.detached\b|:\s*TaskExecutor\b/#
        var count = 0
        for file in try SourceTree.files()
        where file.mentions(
            "Dispatch", "pthread_create", "Thread(", "Continuation", "detached", "TaskExecutor")
        {
            for line in file.lines where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                if line.contains(bridges) { count += 1 }
                guard !file.path.contains(Self.module) else { continue }
                #expect(!line.contains(primitives) && !line.contains(bridges), "\(file.path): \(line)")
                #expect(!line.contains(#/^import Dispatch/#), "\(file.path)")
            }
        }
        #expect((1...5).contains(count))
    }

    /// The one that stays is for handlers of event loops, which are no tasks; `RelayService` says why.
    @Test func `blocking calls have one executor, and the connections of a relay a pool of SwiftNIO's`()
        throws
    {
        var pools: [String] = []
        for file in try SourceTree.files() where file.mentions("NIOThreadPool", "NonBlockingFileIO") {
            let made = file.code.matches(of: #/\bNIOThreadPool(?:\(|\.singleton)|\bNonBlockingFileIO\b/#)
            pools += made.map { _ in file.name }
            #expect(file.name == "RelayService.swift", "\(file.path)")
        }
        #expect(pools == ["RelayService.swift"])
    }

    /// Otherwise nobody waits for its end, nor learns how it ended. A relay that is stopped by several is stopped once.
    @Test func `a task without a parent is awaited where it is made`() throws {
        var others: Set<String> = []
        for file in try SourceTree.files() where file.mentions("Task {", "Task(") {
            for line in file.code.split(separator: "\n") where line.contains(#/\bTask(?: \{|\()/#) {
                if !line.contains("await Task {") { others.insert(file.name) }
            }
        }
        #expect(others == ["RelayServer.swift"])
    }

    @Test func `at most twelve types are Sendable unchecked, and each says why that holds`() throws {
        var count = 0
        for file in try SourceTree.files() where file.mentions("@unchecked Sendable") {
            for (index, line) in file.lines.enumerated()
            where line.firstMatch(of: #/^\s*(?!\/\/)[^"]*@unchecked Sendable/#) != nil {
                count += 1
                let next = file.lines.dropFirst(index + 1).first { !$0.isEmpty } ?? ""
                #expect(next.contains("// Unchecked: "), "\(file.path): no proof behind '\(line)'")
            }
        }
        #expect((1...12).contains(count))
    }

    @Test func `what is shared without isolation says why that holds`() throws {
        var count = 0
        for file in try SourceTree.files() where file.mentions("nonisolated(unsafe)") {
            for (index, line) in file.lines.enumerated() where line.contains("nonisolated(unsafe)") {
                count += 1
                let before = file.lines[index - 1].drop { $0 == " " }
                #expect(before.hasPrefix("///"), "\(file.path):\(index + 1): \(line)")
            }
        }
        #expect((1...8).contains(count))
    }

    @Test func `targets that read bytes of others mark each use of a pointer`() throws {
        let manifest = try SourceTree.text(of: "Package.swift")
        #expect(manifest.contains("strict + [.strictMemorySafety()]"))
        // The last one is the front door.
        let names = [
            "Encoding", "Secrets", "Files", "Cryptography", "Database", "TLS", "MediaRules", "Pages",
            "Archives", "Containers", "CryptoFiles", "XFTPWire", "ChatSchema", "Accounts", "Keys",
            "XFTPClient", "Relay", "Media", "ChatLog", "Transfers", "Maintenance", "AccountArchives", "Moves",
            "Terminal", "Storage", "Repository", "Backups", "Composition", "ContentStore", "SessionStore",
            "Mounting", "Postgres",
            "",
        ]
        for name in names {
            let resources = #"(?:resources: \[[^\]]*\],\s*)?"#
            let line = try Regex(
                #"target\(\s*\d+,\s*"Valise\#(name)",\s*\[[^\]]*\],\s*\#(resources)settings: foreign\)"#)
            #expect(manifest.contains(line), "Valise\(name)")
        }
        #expect(manifest.matches(of: #/settings: foreign\)/#).count == names.count, "the list is complete")
    }

    /// A relay, the relay of `--serve` for files and for moves, the runner of jobs that stays, who watches jobs, and the server of
    /// pages, and a mount: each ends in order when its task is cancelled (decision 0048).
    @Test func `what runs until it is stopped runs in one group of services`() throws {
        var running: Set<String> = []
        var groups: Set<String> = []
        for file in try SourceTree.files()
        where file.mentions("ServiceRun.run", "ServiceGroup(", "ServiceLifecycle") {
            if file.code.contains("ServiceRun.run") { running.insert(file.name) }
            if file.code.contains(#/\bServiceGroup\(|^import ServiceLifecycle/#.anchorsMatchLineEndings()) {
                groups.insert(file.name)
            }
        }
        #expect(groups == ["ServiceRun.swift"])
        #expect(
            running == [
                "RunRelay.swift", "ServedRelay.swift", "MoveServing.swift", "RunJobs.swift",
                "WatchJobs.swift", "BrowseConversations.swift", "MountTree.swift",
            ])
        // Whatever else would start one is found by what it starts.
        var starting: Set<String> = []
        for file in try SourceTree.files(in: "Sources/4-Operations")
        where file.mentions("Relay.start(", "RelayServer.start(", "until: .cancelled") {
            for line in file.lines where line.contains("until: .cancelled") {
                #expect(line.contains("ServiceRun.run"), "\(file.path): \(line)")
            }
            if file.code.contains(#/\b(?:Folder|Served)Relay\.start\(|\bRelayServer\.start\(/#) {
                starting.insert(file.name)
            }
        }
        #expect(
            starting == ["RunRelay.swift", "ServedRelay.swift", "SendFiles.swift", "MoveRelay.swift"],
            "a relay is stopped by its group of services")
    }
}
