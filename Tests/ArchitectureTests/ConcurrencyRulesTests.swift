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
        for name in [
            "Encoding", "Cryptography", "Database", "Migrations", "TLS", "MediaRules", "Pages", "Archives",
            "Containers", "CryptoFiles", "XFTPWire", "ChatSchema", "Accounts", "XFTPClient", "Relay", "Media",
            "Maintenance", "AccountArchives", "Moves",
        ] {
            let resources = #"(?:resources: \[[^\]]*\],\s*)?"#
            let line = try Regex(
                #"target\(\s*\d+,\s*"Valise\#(name)",\s*\[[^\]]*\],\s*\#(resources)settings: foreign\)"#)
            #expect(manifest.contains(line), "Valise\(name)")
        }
    }
}
