import Foundation
import Testing

/// The package's table of targets against the import lines of the sources.
struct LayeringTests {
    private struct Target {
        /// The tens are the layer.
        let place: Int
        let folder: String
        let dependencies: Set<String>
    }

    /// Modules of the system and of packages that any layer may name in its dependencies.
    private static let systemModules: Set<String> = ["Glibc", "Darwin", "Synchronization", "Dispatch"]
    private static let packages = [
        "system": "SystemPackage", "parser": "ArgumentParser", "nioCore": "NIOCore", "nioPosix": "NIOPosix",
        "nioEmbedded": "NIOEmbedded", "http1": "NIOHTTP1", "http2": "NIOHTTP2", "hpack": "NIOHPACK",
        "socks": "NIOSOCKS",
        "lifecycle": "ServiceLifecycle", "logging": "Logging", "metrics": "CoreMetrics",
    ]
    private static let layers = [
        "0-Ground", "1-Engines", "2-Formats", "3-Subjects", "4-Operations", "5-Commands", "6-Programs",
    ]
    private static let system = "0-Ground/System"

    /// Lines such as `target(30, "ValiseAccounts", ["ValiseFailures", system]),`, however they are wrapped.
    private static func targets() throws -> [String: Target] {
        let manifest = try SourceTree.text(of: "Package.swift")
        let pattern = #/(target|program)\(\s*(\d+),\s*"([A-Za-z-]+)",\s*\[([^\]]*)\]/#
        var targets: [String: Target] = [:]
        for match in manifest.matches(
            of: #/"CValise(\w+)",(?: dependencies: \[[^\]]*\],)?\s+path: "Sources\/0-Ground\/System\/(\w+)"/#)
        {
            targets["CValise\(match.1)"] = Target(
                place: -1, folder: "\(system)/\(match.2)", dependencies: [])
        }
        for match in manifest.matches(of: pattern) {
            let dependencies = match.4.split(whereSeparator: { ",\n \"".contains($0) }).map(String.init)
            let place = try #require(Int(match.2))
            let name = String(match.3)
            let folder =
                match.1 == "program" || name == "Valise" ? name : String(name.dropFirst("Valise".count))
            targets[name] = Target(
                place: place, folder: "\(layers[place / 10])/\(folder)", dependencies: Set(dependencies))
        }
        return targets
    }

    private static func imports(of target: Target) throws -> Set<String> {
        var modules: Set<String> = []
        for file in try SourceTree.files(in: "Sources/\(target.folder)") {
            for line in file.lines where line.mentions(any: ["import "]) {
                if let match = line.prefixMatch(of: #/\s*(?:public |package )?import (\w+)/#) {
                    modules.insert(String(match.1))
                }
            }
        }
        return modules
    }

    @Test func `every folder of sources is in the table`() throws {
        var folders: Set<String> = []
        for layer in Self.layers + [Self.system] {
            let path = SourceTree.root.appending(path: "Sources/\(layer)").path
            guard FileManager.default.fileExists(atPath: path) else { continue }
            folders.formUnion(
                try FileManager.default.contentsOfDirectory(atPath: path).map { "\(layer)/\($0)" })
        }
        folders.remove(Self.system)
        #expect(folders == Set(try Self.targets().values.map(\.folder)))
        let others = try FileManager.default.contentsOfDirectory(
            atPath: SourceTree.root.appending(path: "Sources").path)
        #expect(Set(others).isSubset(of: Self.layers), "a folder that is no layer")
    }

    // Three of them came with backups: stores, the repository's format, and accounts in it. Messages are composed without an
    // account, by whoever has a screen. Two formats of other programs have a target each. A relay for many keeps its records in a
    // server, which nothing else uses.
    @Test func `at most thirty-eight targets are libraries`() throws {
        let libraries = try Self.targets().values.filter { 0..<60 ~= $0.place }
        #expect((20...38).contains(libraries.count))
        // What stands in the table without a place is C, or a help of tests.
        let manifest = try SourceTree.text(of: "Package.swift")
        for match in manifest.matches(
            of: #/\.(?:target|executableTarget)\(\s*name: "([\w-]+)"(?s:.*?)path:\s*"([^"]+)"/#)
        {
            let isOther =
                match.2.hasPrefix("Sources/\(Self.system)/") || match.2.hasPrefix("Tests/Support/")
                || match.2.hasPrefix("Fuzz/")
            #expect(isOther, "\(match.1) in \(match.2)")
        }
    }

    /// The folders of tests beside the layers: what looks at all of them, a package of its own, and what tests share.
    private static let otherTests: Set<String> = ["ArchitectureTests", "Consumer", "Support"]
    /// How command lines are made of remedies is tested without a process, in a target of its own. Migrations are a part of
    /// the engine of databases, whose other parts are tested without them. Operations on repositories are many.
    private static let testsOfParts: Set<String> = [
        "1-Engines/Migrations", "4-Operations/Backups", "4-Operations/Composition", "4-Operations/Sessions",
        "4-Operations/Stores",
        "5-Commands/Remedies",
    ]
    /// Failures are tested where they are thrown. A layer of one target has its tests in the folder of the layer.
    private static let withoutTests: Set<String> = ["0-Ground/Failures", "4-Operations/Valise"]

    @Test func `tests lie as the sources do`() throws {
        let folders = try Self.folders(in: "Tests").subtracting(Self.otherTests)
        // The programs are a few lines each; the tests of the commands run them.
        #expect(folders == Set(Self.layers.dropLast()))
        let targets = Set(try Self.targets().values.filter { 0..<60 ~= $0.place }.map(\.folder))
        var tested: Set<String> = []
        for layer in folders {
            tested.formUnion(try Self.folders(in: "Tests/\(layer)").map { "\(layer)/\($0)" })
        }
        #expect(tested.subtracting(targets) == Self.testsOfParts, "tests of no target")
        #expect(targets.subtracting(tested) == Self.withoutTests, "targets without tests")
    }

    private static func folders(in path: String) throws -> Set<String> {
        let found = try FileManager.default.contentsOfDirectory(
            at: SourceTree.root.appending(path: path), includingPropertiesForKeys: [.isDirectoryKey])
        return Set(
            found.filter { $0.hasDirectoryPath && !$0.lastPathComponent.hasPrefix(".") }.map(
                \.lastPathComponent))
    }

    @Test func `a target depends on lower layers only`() throws {
        let targets = try Self.targets()
        #expect(targets.count > 15, "the table was not read")
        for (name, target) in targets {
            for dependency in target.dependencies where Self.packages[dependency] == nil {
                let below = try #require(targets[dependency], "\(name) depends on the unknown \(dependency)")
                #expect(below.place < target.place, "\(name) must not depend on \(dependency)")
            }
        }
    }

    @Test func `a target imports what its line in the table names`() throws {
        for (name, target) in try Self.targets() where target.place >= 0 {
            let allowed = Set(target.dependencies.map { Self.packages[$0] ?? $0 })
            var foundation: Set<String> = []
            if name == "ValiseEncoding" { foundation = ["FoundationEssentials", "Foundation"] }
            // The Keychain of Apple systems has no other interface.
            if name == "ValiseKeys" { foundation = ["Foundation", "Security"] }
            let surplus = try Self.imports(of: target).subtracting(allowed)
                .subtracting(Self.systemModules).subtracting(foundation)
            #expect(surplus.isEmpty, "\(name) imports \(surplus.sorted()) and its line does not say so")
        }
    }

    /// They print and prompt through `ValiseTerminal`, which no library may use.
    @Test func `only the commands print, prompt, read the environment or exit`() throws {
        let forbidden = #/\b(print|readLine|exit|getenv|abort|fatalError)\(/#
        let streams = #/\.standard(?:Output|Error)\b|\/dev\/tty/#
        var speaking: Set<String> = []
        for (name, target) in try Self.targets() where 0..<50 ~= target.place {
            #expect(!target.dependencies.contains("ValiseTerminal"), "\(name)")
            for file in try SourceTree.files(in: "Sources/\(target.folder)") {
                if file.mentions("print(", "readLine(", "exit(", "getenv(", "abort(", "fatalError(") {
                    #expect(file.text.firstMatch(of: forbidden) == nil, "\(file.name)")
                }
                guard file.mentions("standard", "/dev/tty") else { continue }
                if file.code.firstMatch(of: streams) != nil { speaking.insert(name) }
            }
        }
        #expect(speaking == ["ValiseTerminal"])
    }

    /// What has SQL: that of SQLite itself and the tables of migrations, the tables of jobs, the writer of a sample, and the one
    /// place for the chat and agent databases (decision 0045); the reader of the databases of Session; what PostgreSQL needs itself,
    /// with its table of migrations; and in one folder the records of a relay (decision 0074).
    private static let targetsWithSQL: Set = [
        "ValiseDatabase", "ValiseJobQueue", "ValiseSampleAccounts", "ValiseChatSchema", "ValiseSessionStore",
        "ValisePostgres",
    ]

    private static let folderWithSQL = "Sources/3-Subjects/Relay/Store/Postgres/"

    private static let wordsOfSQL = [
        "SELECT", "INSERT", "UPDATE", "DELETE", "PRAGMA", "CREATE", "ALTER", "ATTACH", "DETACH", "VACUUM",
        "BEGIN",
        "COMMIT", "ROLLBACK",
    ]

    @Test func `SQL is only where it belongs`() throws {
        let literal = #/"""(?:.|\n)*?"""|"(?:[^"\\\n]|\\.)*"/#
        let statement =
            #/^"+\s*(?:SELECT|INSERT|UPDATE|DELETE|PRAGMA|CREATE TABLE \S|ALTER TABLE|ATTACH|DETACH|VACUUM|BEGIN\b|COMMIT\b|ROLLBACK\b)/#
        let inside = #/\bSELECT\s.*\bFROM\s|\bINSERT INTO\s|\bUPDATE\s+\S+\s+SET\s|\bDELETE FROM\s/#
            .dotMatchesNewlines()
        var found = 0
        for (name, target) in try Self.targets() where target.place >= 0 {
            for file in try SourceTree.files(in: "Sources/\(target.folder)")
            where file.text.mentions(any: Self.wordsOfSQL) {
                for text in file.code.matches(of: literal).map(\.0) {
                    guard text.firstMatch(of: statement) != nil || text.firstMatch(of: inside) != nil else {
                        continue
                    }
                    found += 1
                    #expect(
                        Self.targetsWithSQL.contains(name) || file.path.contains(Self.folderWithSQL),
                        "\(file.name): \(text.prefix(80))")
                }
            }
        }
        #expect(found > 50, "the literals were not read")
    }

    @Test func `no value of a column becomes 0 or an empty text`() throws {
        let column =
            #/(?:value\([^)]*\)|\brow\[\d+\]|\brows?\[0\]\[\d+\]|\$0\[\d+\])\)?(?:\?)?\.(?:text|integer)\)? \?\? /#
        let getter = #/\[index\]\.(?:text|integer) \?\? |\.value \?\? (?:0|"")/#
        for target in try Self.targets().values where target.place >= 0 {
            for file in try SourceTree.files(in: "Sources/\(target.folder)") where file.mentions(" ?? ") {
                let code = file.code
                for match in code.matches(of: column) { Issue.record("\(file.name): \(match.0)") }
                for match in code.matches(of: getter) { Issue.record("\(file.name): \(match.0)") }
            }
        }
    }

    /// A child shares the locks of all open accounts until it is a program of its own, and what is open then if nobody closes
    /// it (decision 0040).
    @Test func `one file starts children, none forks, and what is opened is closed for them`() throws {
        var starting: Set<String> = []
        for file in try SourceTree.files(types: ["swift", "c", "h"]) {
            let text = file.text
            let forks =
                file.mentions("fork(", "clone(", "popen(", "system(", "daemon(")
                && text.firstMatch(of: #/\b(v?fork|clone|popen|system|daemon)\(/#) != nil
            // It closes what is open at once, and has ended before its parent goes on (decision 0052).
            #expect(forks == (file.name == "zxcvbn.c"), "\(file.path)")
            if file.mentions("posix_spawn(", "posix_spawnp(") { starting.insert(file.name) }
            guard file.mentions("FileDescriptor") else { continue }
            #expect(text.firstMatch(of: #/\bFileDescriptor\.pipe\(/#) == nil, "\(file.path)")
            for match in text.matches(of: #/\bFileDescriptor\s*\.open\((?:[^()]|\([^()]*\))*\)/#) {
                #expect(match.0.contains(/closeOnExec|options: options/), "\(file.path): \(match.0)")
            }
        }
        #expect(starting == ["ChildProcess.swift"])
    }

    @Test func `nothing in the graph links plain SQLite`() throws {
        let manifest = try SourceTree.text(of: "Package.swift")
        #expect(!manifest.contains("sqlite3"))
    }
}
