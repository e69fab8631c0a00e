import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles

@testable import ValiseStorage

/// What a repository on OpenSSH's server is on its disk, and what else may be there.
@Suite(.enabled(if: SFTPFixture.hasServer))
struct SFTPStoreTests {
    private let fixture: SFTPFixture
    private let store: SFTPStore
    private let files = FileSystem()

    init() throws {
        fixture = try SFTPFixture()
        store = try fixture.store(fixture.openSSH)
        try store.create()
    }

    private func permissions(_ name: String) throws -> FilePermissions? {
        try files.attributes(of: fixture.path.appending(name))?.permissions
    }

    /// What the location is in the messages of this store.
    private func subject(_ name: StoredName) -> String { "\(store.location)/\(name)" }

    // MARK: Layout

    @Test func `a new repository has restic's folders, for its user alone`() throws {
        let names = try files.list(fixture.path).compactMap(\.name)
        #expect(names == ["data", "index", "keys", "locks", "snapshots"])
        let packs = try files.list(fixture.path.appending("data")).compactMap(\.name)
        #expect(packs == (0...255).map { String(format: "%02x", $0) })
        for name in ["", "data", "data/0a", "keys"] {
            #expect(try permissions(name) == .ownerReadWriteExecute)
        }
        try store.create()
    }

    @Test func `files are where restic has them, for their user alone`() throws {
        let content = Array("abc".utf8)
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        try store.put(.config, content)
        for kind in StoredKind.allCases { try store.put(stored(kind, content), content) }
        let paths = [
            "config", "data/ba/\(hash)", "index/\(hash)", "keys/\(hash)", "locks/\(hash)",
            "snapshots/\(hash)",
        ]
        let found = try TemporaryFolder.contents(of: fixture.path).filter { !$0.key.hasSuffix("/") }
        #expect(found.keys.sorted() == paths)
        for path in paths {
            #expect(found[path] == content)
            #expect(try permissions(path) == .ownerReadWrite)
        }
    }

    @Test func `a repository far below what exists is made`() throws {
        let path = fixture.folder.appending("a/b/c d/ü")
        let store = SFTPStore(try SFTPLocation("sftp:server:\(path.string)"), command: fixture.openSSH)
        try store.create()
        try store.put(.config, [1])
        #expect(try files.contents(of: path.appending("config"), limit: 10) == [1])
        let blocked = SFTPStore(
            try SFTPLocation("sftp:server:\(path.string)/config"), command: fixture.openSSH)
        #expect(storageFailure { try blocked.create() }?.code == .unsupported)
    }

    @Test func `missing folders are empty, and made when something is stored`() throws {
        let content = Array("abc".utf8)
        for name in ["data", "index", "keys", "locks", "snapshots"] {
            try files.removeTree(fixture.path.appending(name))
        }
        for kind in StoredKind.allCases {
            let name = stored(kind, content)
            #expect(try store.list(kind).isEmpty && !store.has(name))
            #expect(storageFailure { _ = try store.get(name) }?.code == .notFound)
            try store.remove(name)
            try store.put(name, content)
            #expect(try store.get(name) == content && store.list(kind).count == 1)
        }
        #expect(try permissions("data/ba") == .ownerReadWriteExecute)
    }

    @Test func `without the folder of the repository a disk is missing, and nothing is empty or made`() throws
    {
        let path = fixture.folder.appending("unmounted/repository")
        let store = SFTPStore(try SFTPLocation("sftp:server:\(path.string)"), command: fixture.openSSH)
        for kind in [StoredKind.index, .data] {
            let name = stored(kind, [1])
            #expect(storageFailure { try store.put(name, [1]) }?.code == .notFound)
            #expect(storageFailure { _ = try store.list(kind) }?.code == .notFound)
            #expect(storageFailure { try store.remove(name) }?.code == .notFound)
            #expect(storageFailure { _ = try store.get(name) }?.code == .notFound)
        }
        #expect(try !files.exists(path.parentFolder))
    }

    // MARK: Contents

    @Test func `another content of the same name is refused, and stays`() throws {
        let content = Array("intact".utf8)
        let name = stored(.index, content)
        let path = fixture.local.path(of: name)
        for other in [Array("intacT".utf8), [], Array("intact and longer".utf8)] {
            var file = try files.create(path)
            try file.write(other)
            try file.close()
            let found = storageFailure { try store.put(name, content) }
            #expect(found?.code == .alreadyExists && found?.subject == subject(name))
            #expect(try store.get(name) == other)
            #expect(try files.list(path.parentFolder).count == 1)
            try store.remove(name)
        }
        try store.put(name, content)
        #expect(try store.get(name) == content)
    }

    @Test func `a file of any size is read in parts, and not into memory at once`() throws {
        let name = stored(.index, [1])
        try files.create(fixture.local.path(of: name)).truncate(to: 3 << 30)
        #expect(try store.size(of: name) == 3 << 30)
        #expect(try store.get(name, (3 << 30) - 5..<3 << 30) == [0, 0, 0, 0, 0])
        #expect(storageFailure { _ = try store.get(name) }?.code == .unsupported)
        #expect(storageFailure { _ = try store.get(name, 0..<2 << 30) }?.code == .unsupported)
        #expect(storageFailure { _ = try store.get(name, -1..<5) }?.code == .damaged)
        #expect(try store.list(.index).map(\.size) == [3 << 30])
    }

    @Test func `large files come back as they were`() throws {
        let content = (0..<20 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let name = stored(.data, content)
        try store.put(name, content)
        #expect(try store.get(name) == content)
        #expect(try store.get(name, 5_000_001..<9_000_002) == Array(content[5_000_001..<9_000_002]))
    }

    // MARK: Foreign things

    private func checkRefused(_ name: StoredName, _ kind: StoredKind, _ content: [UInt8]) throws {
        for work in [
            { _ = try store.get(name) }, { _ = try store.get(name, 0..<1) }, { _ = try store.size(of: name) },
            { try store.put(name, content) }, { _ = try store.list(kind) },
        ] as [() throws -> Void] {
            let found = storageFailure(work)
            #expect(found?.code == .unsupported && found?.subject == subject(name), "\(found as Any)")
        }
    }

    @Test(arguments: [StoredKind.index, .data])
    func `folders, links and pipes under names of files are refused`(kind: StoredKind) throws {
        let content = Array("target".utf8)
        let name = stored(kind, content)
        let path = fixture.local.path(of: name)
        try files.makeDirectory(path)
        try checkRefused(name, kind, content)
        #expect(storageFailure { try store.remove(name) }?.code == .failed)
        try files.removeDirectory(path)
        let target = fixture.folder.appending("target")
        var file = try files.create(target)
        try file.write(content)
        try file.close()
        for place in [target.string, "nowhere"] {
            #expect(symlink(place, path.string) == 0)
            try checkRefused(name, kind, content)
            // Of a link nothing but itself is removed.
            try store.remove(name)
        }
        // Opening one would wait for ever, and all requests behind it.
        #expect(mkfifo(path.string, 0o600) == 0)
        try checkRefused(name, kind, content)
        #expect(try files.contents(of: target, limit: 100) == content)
    }

    @Test func `names of others are left out of lists`() throws {
        let content = Array("abc".utf8)
        for kind in [StoredKind.index, .data] { try store.put(stored(kind, content), content) }
        let hash = try digest(content).text
        let names = [
            "README", "._\(hash)", hash.uppercased(), String(hash.dropLast()), hash + "0", "\(hash)-tmp-12",
            "\(hash.dropLast())g",
        ]
        for folder in ["index", "data/ba", "data"] {
            for name in names { _ = try files.create(fixture.path.appending(folder).appending(name)) }
        }
        let component = try #require(FilePath.Component(bytes: Array(hash.utf8.dropLast()) + [0xff]))
        _ = try files.create(fixture.path.appending("index").appending(component))
        _ = try files.create(fixture.path.appending("data/0a").appending(hash))
        for folder in ["BA", "b", "zz"] {
            try files.makeDirectory(fixture.path.appending("data").appending(folder))
            _ = try files.create(fixture.path.appending("data").appending(folder).appending(hash))
        }
        for kind in [StoredKind.index, .data] {
            let listed = try store.list(kind)
            #expect(listed.map(\.id.text) == [hash] && listed.map(\.size) == [3])
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may do everything"))
    func `what the server's user may not do is denied`() throws {
        try files.setPermissions([.ownerRead, .ownerExecute], of: fixture.path.appending("index"))
        defer { try? files.setPermissions(.ownerReadWriteExecute, of: fixture.path.appending("index")) }
        #expect(storageFailure { try store.put(stored(.index, [1]), [1]) }?.code == .denied)
    }
}
