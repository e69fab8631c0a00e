import Foundation
import Testing

/// Threads, bridges and what the compiler is told to believe (decision 0043).
struct ConcurrencyRulesTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    private static let module = "/0-Ground/Concurrency/"

    private static func files() throws -> [(path: String, lines: [Substring])] {
        let files = try #require(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map {
            ($0.path, try String(contentsOf: $0, encoding: .utf8).split(separator: "\n"))
        }
    }

    @Test func `threads, and bridges to tasks, are in one module, and five at most`() throws {
        let primitives = #/\bDispatch(Queue|Semaphore|Group|WorkItem|Source)\b|\bpthread_create\b|\bThread\(/#
        let bridges =
            #/\bwith(Checked|Unsafe)(Throwing)?Continuation\b|\bTask\.detached\b|:\s*TaskExecutor\b/#
        var count = 0
        for (path, lines) in try Self.files() {
            for line in lines where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                if line.contains(bridges) { count += 1 }
                guard !path.contains(Self.module) else { continue }
                #expect(!line.contains(primitives) && !line.contains(bridges), "\(path): \(line)")
                #expect(!line.contains(#/^import Dispatch/#), "\(path)")
            }
        }
        #expect((1...5).contains(count))
    }

    @Test func `at most twelve types are Sendable unchecked, and each says why that holds`() throws {
        var count = 0
        for (path, lines) in try Self.files() {
            for (index, line) in lines.enumerated()
            where line.contains("@unchecked Sendable") && !line.contains("//") {
                count += 1
                let next = lines.dropFirst(index + 1).first ?? ""
                #expect(next.contains("// Unchecked: "), "\(path): no proof behind '\(line)'")
            }
        }
        #expect((1...12).contains(count))
    }

    @Test func `targets that read bytes of others mark each use of a pointer`() throws {
        let manifest = try String(
            contentsOf: Self.sources.deletingLastPathComponent().appending(path: "Package.swift"),
            encoding: .utf8)
        #expect(manifest.contains("strict + [.strictMemorySafety()]"))
        for name in [
            "Encoding", "Archives", "Pages", "CryptoFiles", "XFTPWire", "MediaRules", "TLS", "Relay",
        ] {
            let line = try Regex(#"target\(\s*\d+,\s*"Valise\#(name)",\s*\[[^\]]*\],\s*settings: foreign\)"#)
            #expect(manifest.contains(line), "Valise\(name)")
        }
    }
}
