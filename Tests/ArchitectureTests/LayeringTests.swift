import Foundation
import Testing

/// The package's table of targets against the import lines of the sources.
struct LayeringTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private struct Target {
        let layer: Int
        let dependencies: Set<String>
    }

    /// Modules of the system and of packages that any layer may name in its dependencies.
    private static let systemModules: Set<String> = ["Glibc", "Darwin", "Synchronization", "Dispatch"]
    private static let packages = [
        "system": "SystemPackage", "parser": "ArgumentParser", "nioCore": "NIOCore", "nioPosix": "NIOPosix",
        "nioEmbedded": "NIOEmbedded", "http2": "NIOHTTP2", "hpack": "NIOHPACK", "socks": "NIOSOCKS",
        "logging": "Logging",
    ]
    private static let ground = [
        "CSQLCipher", "CDeflate", "CZlib", "CSodium", "COpenSSL", "CMultiBuffer",
        "CSecretService", "CPlatform",
    ]

    /// Lines such as `target(3, "Accounts", ["Failures", system]),`, however they are wrapped.
    private static func targets() throws -> [String: Target] {
        let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let pattern = #/(?:target|executable)\(\s*(\d+),\s*"([A-Za-z-]+)",\s*\[([^\]]*)\]/#
        var targets = Dictionary(
            uniqueKeysWithValues: ground.map { ($0, Target(layer: 0, dependencies: [])) })
        for match in manifest.matches(of: pattern) {
            let dependencies = match.3.split(whereSeparator: { ",\n \"".contains($0) }).map(String.init)
            targets[String(match.2)] = Target(
                layer: try #require(Int(match.1)), dependencies: Set(dependencies))
        }
        return targets
    }

    private static func imports(of target: String) throws -> Set<String> {
        let folder = root.appending(path: "Sources/\(target)")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var modules: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: #/(?m)^\s*(?:public |package )?import (\w+)/#) {
                modules.insert(String(match.1))
            }
        }
        return modules
    }

    @Test func `every folder of sources is in the table`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "Sources").path)
        #expect(Set(folders) == Set(try Self.targets().keys))
    }

    @Test func `a target depends on lower layers only`() throws {
        let targets = try Self.targets()
        #expect(targets.count > 15, "the table was not read")
        for (name, target) in targets {
            for dependency in target.dependencies where Self.packages[dependency] == nil {
                let below = try #require(targets[dependency], "\(name) depends on the unknown \(dependency)")
                // The ground has C modules and the vocabulary of failures.
                #expect(below.layer < target.layer, "\(name) must not depend on \(dependency)")
            }
        }
    }

    @Test func `a target imports what its line in the table names`() throws {
        for (name, target) in try Self.targets() where !Self.ground.contains(name) {
            let allowed = Set(target.dependencies.map { Self.packages[$0] ?? $0 })
            var foundation: Set<String> = []
            if name == "JSONCoding" { foundation = ["FoundationEssentials", "Foundation"] }
            // The Keychain of Apple systems has no other interface.
            if name == "KeyStorage" { foundation = ["Foundation", "Security"] }
            let surplus = try Self.imports(of: name).subtracting(allowed)
                .subtracting(Self.systemModules).subtracting(foundation)
            #expect(surplus.isEmpty, "\(name) imports \(surplus.sorted()) and its line does not say so")
        }
    }

    @Test func `only the commands print, prompt, read the environment or exit`() throws {
        let forbidden = #/\b(print|readLine|exit|getenv|abort|fatalError)\(/#
        for (name, target) in try Self.targets() where target.layer < 5 && !Self.ground.contains(name) {
            let folder = Self.root.appending(path: "Sources/\(name)")
            let files = try #require(
                FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(text.firstMatch(of: forbidden) == nil, "\(file.lastPathComponent)")
            }
        }
    }

    /// A child shares the locks of all open accounts until it is a program of its own, and what is open then if nobody closes
    /// it (decision 0040).
    @Test func `one file starts children, none forks, and what is opened is closed for them`() throws {
        let files = try #require(
            FileManager.default.enumerator(
                at: Self.root.appending(path: "Sources"), includingPropertiesForKeys: nil))
        var starting: Set<String> = []
        for case let file as URL in files where ["swift", "c", "h"].contains(file.pathExtension) {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.firstMatch(of: #/\b(v?fork|clone|popen|system|daemon)\(/#) == nil, "\(file.path)")
            #expect(text.firstMatch(of: #/\bFileDescriptor\.pipe\(/#) == nil, "\(file.path)")
            if text.contains("posix_spawn(") { starting.insert(file.lastPathComponent) }
            for match in text.matches(of: #/\bFileDescriptor\s*\.open\((?:[^()]|\([^()]*\))*\)/#) {
                #expect(match.0.contains(/closeOnExec|options: options/), "\(file.path): \(match.0)")
            }
        }
        #expect(starting == ["CommandKeySource.swift"])
    }

    @Test func `nothing in the graph links plain SQLite`() throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(!manifest.contains("sqlite3"))
    }
}
