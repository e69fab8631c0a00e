import FaultInjection
import SystemPackage
import Testing
import ValiseBackups
import ValiseFailures
import ValiseFiles
import ValiseRepository
import ValiseSecrets
import ValiseStorage

@testable import ValiseMounting

struct RepositoryTreeTests {
    private func tree(_ repository: ValiseRepository.Repository) throws -> RepositoryTree {
        let snapshots = try repository.snapshots { throw $0 }
        try repository.loadIndex(damaged: { throw $0 })
        return RepositoryTree(repository, snapshots)
    }

    @Test func `a snapshot shows the files that a restore writes`() throws {
        let fixture = try MountFixture()
        let repository = try fixture.repository()
        let id = try fixture.backUp(into: repository, host: "laptop", at: 1_790_000_000)
        let tree = try tree(repository)
        let snapshot = try #require(try repository.snapshots { throw $0 }.first)
        var options = RestoreOptions()
        options.databases = .unencrypted
        let restored = try SnapshotRestore(repository, snapshot, options).run(
            into: fixture.folder.appending("restored"), passphrase: nil)
        let expected = try TemporaryFolder.contents(of: restored.folder)
        let account = try #require(
            try tree.item(at: ["hosts", "laptop", "snapshots", "latest"].map { Array($0.utf8) }))
        guard case .link(let target) = account.content else {
            Issue.record("the latest one is no link")
            return
        }
        #expect(String(decoding: target, as: UTF8.self) == "2026-09-21T15:13:20+01:00")
        let top = try #require(
            try tree.item(at: ["ids", "\(id)"].map { Array($0.utf8) })?.folder)
        var found = try TreeContents.of(top)
        // The account's folder is below the top, with the metadata of the backup beside its files.
        let names = found.keys.filter { $0.hasSuffix("simplex_v1_chat.db") }
        let prefix = String(try #require(names.first).dropLast("simplex_v1_chat.db".count))
        found = found.filter { $0.key.hasPrefix(prefix) && $0.key != prefix && !$0.key.contains(".valise") }
        let stripped = Dictionary(
            uniqueKeysWithValues: found.map { (String($0.key.dropFirst(prefix.count)), $0.value) })
        #expect(expected.count > 20)
        for (name, bytes) in expected { #expect(stripped[name] == bytes, "\(name)") }
        let extra = Set(stripped.keys).subtracting(expected.keys)
        #expect(extra.allSatisfy { $0.contains("valise") || $0.hasSuffix("/") }, "\(extra)")
    }

    @Test func `machines have folders of their own, whatever they are called`() throws {
        let fixture = try MountFixture()
        let repository = try fixture.repository()
        let hosts = ["laptop", "laptop", "../../etc", "", ".", "..", String(repeating: "x", count: 400)]
        for (number, host) in hosts.enumerated() {
            _ = try fixture.backUp(into: repository, host: host, at: 1_790_000_000 + Int64(number) * 60)
        }
        let tree = try tree(repository)
        let top = try #require(try tree.item(at: [Array("hosts".utf8)])?.folder)
        var listing = try top.listing()
        var names: [String] = []
        while let entry = try listing.next() { names.append(String(decoding: entry.name, as: UTF8.self)) }
        #expect(
            names == [
                ".._.._etc", "_.", "_..", "laptop", "unknown", String(repeating: "x", count: 255),
            ])
        let times = try #require(
            try tree.item(at: ["hosts", "laptop", "snapshots"].map { Array($0.utf8) })?.folder)
        var all = try times.listing()
        var count = 0
        while try all.next() != nil { count += 1 }
        #expect(count == 3, "two snapshots and a link")
    }

    @Test func `snapshots of one second have names of their own`() throws {
        let fixture = try MountFixture()
        let repository = try fixture.repository()
        for _ in 0..<3 { _ = try fixture.backUp(into: repository, host: "a", at: 1_790_000_000) }
        let tree = try tree(repository)
        let folder = try #require(
            try tree.item(at: ["hosts", "a", "snapshots"].map { Array($0.utf8) })?.folder)
        for name in [
            "2026-09-21T15:13:20+01:00", "2026-09-21T15:13:20+01:00-1", "2026-09-21T15:13:20+01:00-2",
        ] {
            #expect(try folder.item(named: Array(name.utf8))?.folder != nil, "\(name)")
        }
        let latest = try #require(try folder.item(named: Array("latest".utf8)))
        #expect(latest.size == 27)
    }

    @Test func `any part of a file is what it is as a whole`() throws {
        let fixture = try MountFixture()
        let repository = try fixture.repository()
        let id = try fixture.backUp(into: repository, host: "laptop", at: 1_790_000_000)
        let tree = try tree(repository)
        let top = try #require(try tree.item(at: ["ids", "\(id)"].map { Array($0.utf8) })?.folder)
        let names = try TreeContents.of(top).compactMapValues(\.self)
        let largest = try #require(names.max { $0.value.count < $1.value.count })
        #expect(largest.value.count > 1 << 20)
        let file = try TreeContents.file(tree, "ids/\(id)/\(largest.key)")
        try RandomReads.check(file, largest.value)
    }

    @Test func `a missing piece is an error of the file alone`() throws {
        let fixture = try MountFixture()
        let repository = try fixture.repository()
        let id = try fixture.backUp(into: repository, host: "laptop", at: 1_790_000_000)
        // Without an index, nothing is found.
        let snapshots = try repository.snapshots { throw $0 }
        let opened = try ValiseRepository.Repository.open(
            fixture.store, password: .init(copying: Array("repository".utf8)))
        let tree = RepositoryTree(opened, snapshots)
        let item = try #require(try tree.item(at: ["ids", "\(id)"].map { Array($0.utf8) }))
        #expect(throws: RepositoryError.self) { _ = try item.folder?.listing() }
        #expect(throws: RepositoryError.self) { _ = try item.folder?.item(named: [1]) }
        #expect(FuseErrors.number(of: RepositoryError(.missing, "x")) == .ioError)
    }
}
