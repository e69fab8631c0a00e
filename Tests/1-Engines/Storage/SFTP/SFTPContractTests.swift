import FaultInjection
import StoreContract
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

@testable import ValiseStorage

/// The promises of a store, asked of stores on several servers.
struct SFTPContractTests {
    private let fixture: SFTPFixture

    init() throws { fixture = try SFTPFixture() }

    private func check(_ contract: BlobStoreContract, _ command: SFTPCommand) throws {
        try contract.check {
            SFTPStore(
                try fixture.location("repository \(UInt64.random(in: 0 ... .max))"), command: command)
        }
    }

    @Test(.enabled(if: SFTPFixture.hasServer))
    func `OpenSSH's server keeps the contract`() throws {
        try check(BlobStoreContract(listedFiles: 1000), fixture.openSSH)
    }

    @Test(.enabled(if: OtherProgram.isThere("rclone")))
    func `rclone's server keeps the contract`() throws {
        let served = fixture.folder.appending("served")
        try FileSystem().makeDirectory(served)
        // Paths begin in what is served. Several at once would use one cache.
        let command = SFTPCommand(
            "rclone",
            [
                "serve", "sftp", "--stdio", "--config", "/dev/null", "--cache-dir",
                fixture.folder.appending("cache").string, "--vfs-cache-mode", "writes", served.string,
            ])
        // It replaces what has the name. Where several threads write one file, its cache fails now and then, with "internal
        // error: item".
        try BlobStoreContract(listedFiles: 100, threads: 1).check {
            SFTPStore(
                try SFTPLocation("sftp:server:/repository\(UInt64.random(in: 0 ... .max))"), command: command)
        }
    }

    @Test(
        .enabled(if: SFTPFixture.hasPython),
        arguments: [
            [], ["no-extensions"], ["reverse:16"], ["short-data"], ["bare-status", "bare-names"],
            ["no-rename", "failure-for-missing"], ["no-rename", "no-extensions", "replacing-rename"],
        ] as [[String]])
    func `servers that are otherwise keep the contract`(faults: [String]) throws {
        try check(BlobStoreContract(listedFiles: 50, threads: 4), fixture.misbehaving(faults))
        #expect(try fixture.areGone())
    }

    @Test(.enabled(if: SFTPFixture.hasPython))
    func `answers in small pieces are the same`() throws {
        let store = try fixture.store(fixture.misbehaving(["trickle"]))
        try store.create()
        let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try store.put(stored(.data, content), content)
        #expect(try store.get(stored(.data, content)) == content)
        #expect(try store.list(.data).map(\.size) == [100_000])
    }

    @Test(.enabled(if: SFTPFixture.hasServer))
    func `a repository on a server is one in a folder`() throws {
        let store = try fixture.store(fixture.openSSH)
        try BlobStoreContract(listedFiles: 20, threads: 2).check {
            try? FileSystem().removeTree(fixture.path)
            return TwoWays(writing: store, reading: fixture.local)
        }
        try BlobStoreContract(listedFiles: 20, threads: 2).check {
            try? FileSystem().removeTree(fixture.path)
            return TwoWays(writing: fixture.local, reading: store)
        }
    }
}

/// One repository, which is written in one way and read in another.
private struct TwoWays: BlobStore {
    let writing: any BlobStore
    let reading: any BlobStore

    var location: String { "\(writing.location), \(reading.location)" }

    func create() throws { try writing.create() }

    func put(_ name: StoredName, _ content: [UInt8]) throws { try writing.put(name, content) }

    func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8] { try reading.get(name, range) }

    func size(of name: StoredName) throws -> Int64 { try reading.size(of: name) }

    func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws {
        try reading.list(kind, body)
    }

    func remove(_ name: StoredName) throws { try writing.remove(name) }
}
