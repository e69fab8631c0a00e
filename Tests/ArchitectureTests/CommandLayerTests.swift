import Foundation
import Testing

/// The command layer parses options, calls one operation, and renders: the rest belongs to the library `Valise`.
struct CommandLayerTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/5-Commands")

    /// What parsing, rendering and the terminal need besides the front door.
    private static let allowed: Set<String> = [
        "Valise", "ArgumentParser", "SystemPackage", "ValiseEncoding", "CValisePlatform", "Synchronization",
        "Dispatch",
        "Glibc", "Darwin",
    ]
    /// Files that use something else: the log of a relay. None is added.
    private static let exceptions: Set<String> = ["RelayStart.swift", "StandardErrorLog.swift"]
    private static let mostLines = 9_000

    private static func files() throws -> [URL] {
        let all = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        return all.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    }

    @Test func `a command imports the front door and what rendering needs`() throws {
        var found: Set<String> = []
        for file in try Self.files() {
            let text = try String(contentsOf: file, encoding: .utf8)
            let modules = text.matches(of: #/(?m)^\s*(?:public |package )?import (\w+)/#).map { String($0.1) }
            if !Set(modules).isSubset(of: Self.allowed) { found.insert(file.lastPathComponent) }
        }
        #expect(found.subtracting(Self.exceptions).isEmpty, "uses a part of the library by itself")
        #expect(Self.exceptions.subtracting(found).isEmpty, "is no exception any more")
    }

    @Test func `the command layer has no more lines than it had`() throws {
        let lines = try Self.files().reduce(0) { sum, file in
            try sum
                + String(contentsOf: file, encoding: .utf8).split(
                    separator: "\n", omittingEmptySubsequences: false
                ).count
                - 1
        }
        #expect(lines <= Self.mostLines)
    }

    @Test func `one place runs operations, and none is run around it`() throws {
        for file in try Self.files()
        where !["AsynchronousWork.swift", "OperationRunning.swift"].contains(file.lastPathComponent) {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("Task.detached"), "\(file.lastPathComponent)")
        }
    }
}
