import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseStorage

/// What a repository in a folder is on disk, and what else may be there.
struct FolderStoreTests {
    private let fixture: StoredFolder
    private let files = FileSystem()

    init() throws { fixture = try StoredFolder() }

    private var store: FolderStore { fixture.store }

    private func permissions(_ path: FilePath) throws -> FilePermissions? {
        try files.attributes(of: path)?.permissions
    }

    // MARK: Layout

    @Test func `a new repository has restic's folders, for its user alone`() throws {
        let names = try files.list(fixture.path).compactMap(\.name)
        #expect(names == ["data", "index", "keys", "locks", "snapshots"])
        let packs = try files.list(fixture.path.appending("data"))
        #expect(packs.compactMap(\.name) == (0...255).map { String(format: "%02x", $0) })
        for path in [fixture.path] + names.map({ fixture.path.appending($0) }) {
            #expect(try permissions(path) == .ownerReadWriteExecute, "\(path)")
        }
        #expect(try permissions(fixture.path.appending("data/0a")) == .ownerReadWriteExecute)
    }

    @Test func `files are where restic has them, read-only`() throws {
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
            #expect(try permissions(fixture.path.appending(path)) == .ownerRead)
        }
        #expect(store.location == fixture.path.string)
        #expect(store.path(of: stored(.data, content)) == fixture.path.appending(paths[1]))
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
        #expect(try permissions(fixture.path.appending("data/ba")) == .ownerReadWriteExecute)
    }

    @Test func `without the folder of the repository a disk is missing, and nothing is empty or made`() throws
    {
        let path = fixture.folder.appending("unmounted").appending("repository")
        let store = FolderStore(path)
        let name = stored(.index, [1])
        #expect(storageFailure { try store.put(name, [1]) }?.code == .notFound)
        #expect(storageFailure { _ = try store.list(.index) }?.code == .notFound)
        #expect(storageFailure { try store.remove(name) }?.code == .notFound)
        #expect(storageFailure { _ = try store.get(name) }?.code == .notFound)
        #expect(storageFailure { _ = try store.leftovers() }?.code == .notFound)
        #expect(try !files.exists(path))
        try store.create()
        try store.put(name, [1])
        #expect(try store.get(name) == [1])
    }

    @Test func `a repository behind a link is a repository`() throws {
        let link = fixture.folder.appending("link")
        #expect(symlink(fixture.path.string, link.string) == 0)
        let store = FolderStore(link)
        try store.create()
        try store.put(.config, [1])
        #expect(try fixture.store.get(.config) == [1] && store.list(.index).isEmpty)
    }

    // MARK: Contents

    @Test func `another content of the same name is refused, and stays`() throws {
        let content = Array("intact".utf8)
        let name = stored(.index, content)
        let path = store.path(of: name)
        for other in [Array("intacT".utf8), [], Array("intact and longer".utf8)] {
            var file = try files.create(path)
            try file.write(other)
            try file.close()
            let found = storageFailure { try store.put(name, content) }
            #expect(found?.code == .alreadyExists && found?.subject == path.string)
            #expect(try store.get(name) == other)
            #expect(try files.list(path.parentFolder).count == 1)
            try store.remove(name)
        }
        try store.put(name, content)
        #expect(try store.get(name) == content)
    }

    @Test func `a file that was cut off is damaged where more is read`() throws {
        let content = [UInt8](repeating: 5, count: 1000)
        let name = stored(.data, content)
        try store.put(name, content)
        try files.setPermissions(.ownerReadWrite, of: store.path(of: name))
        try files.openForUpdating(store.path(of: name)).truncate(to: 600)
        #expect(try store.get(name, 0..<600).count == 600)
        let found = storageFailure { _ = try store.get(name, 500..<700) }
        #expect(found?.code == .damaged && found?.isTransient == false)
        #expect(storageFailure { _ = try store.get(name, -1..<5) }?.code == .damaged)
    }

    @Test func `a file of any size is read in parts, and not into memory at once`() throws {
        let name = stored(.index, [1])
        try files.create(store.path(of: name)).truncate(to: 3 << 30)
        #expect(try store.size(of: name) == 3 << 30)
        #expect(try store.get(name, (3 << 30) - 5..<3 << 30) == [0, 0, 0, 0, 0])
        #expect(storageFailure { _ = try store.get(name) }?.code == .unsupported)
        #expect(storageFailure { _ = try store.get(name, 0..<2 << 30) }?.code == .unsupported)
        #expect(try store.list(.index).map(\.size) == [3 << 30])
    }

    // MARK: Foreign things

    /// What is no file, under the name of one.
    private func checkRefused(_ name: StoredName, _ kind: StoredKind, _ content: [UInt8]) throws {
        let path = store.path(of: name)
        let before = try files.attributes(of: path)
        for work in [
            { _ = try store.get(name) }, { _ = try store.get(name, 0..<1) }, { _ = try store.size(of: name) },
            { try store.put(name, content) }, { try store.remove(name) }, { _ = try store.list(kind) },
        ] as [() throws -> Void] {
            let found = storageFailure(work)
            #expect(found?.code == .unsupported && found?.subject == path.string, "\(found as Any)")
        }
        #expect(try files.attributes(of: path) == before)
    }

    @Test(arguments: [StoredKind.index, .data, .keys])
    func `folders, links and pipes under names of files are refused`(kind: StoredKind) throws {
        let content = Array("target".utf8)
        let name = stored(kind, content)
        let path = store.path(of: name)
        try files.makeDirectory(path)
        try checkRefused(name, kind, content)
        try files.removeDirectory(path)
        // To a file with the right content, too.
        let target = fixture.folder.appending("target")
        var file = try files.create(target)
        try file.write(content)
        try file.close()
        #expect(symlink(target.string, path.string) == 0)
        try checkRefused(name, kind, content)
        try files.remove(path)
        #expect(symlink("nowhere", path.string) == 0)
        try checkRefused(name, kind, content)
        try files.remove(path)
        // Opening one would wait for ever.
        #expect(mkfifo(path.string, 0o600) == 0)
        try checkRefused(name, kind, content)
        #expect(try files.contents(of: target, limit: 100) == content)
    }

    @Test func `links in place of folders are refused`() throws {
        let content = Array("abc".utf8)
        let outside = fixture.folder.appending("outside")
        try files.makeDirectory(outside)
        for (folder, kind) in [("data/ba", StoredKind.data), ("data", .data), ("index", .index)] {
            let path = fixture.path.appending(folder)
            try files.removeTree(path)
            #expect(symlink(outside.string, path.string) == 0)
            let name = stored(kind, content)
            for work in [
                { _ = try store.get(name) }, { _ = try store.size(of: name) },
                { try store.put(name, content) }, { try store.remove(name) }, { _ = try store.list(kind) },
                { try store.create() },
            ] as [() throws -> Void] {
                let found = storageFailure(work)
                #expect(found?.code == .unsupported && found?.subject == path.string, "\(found as Any)")
            }
            try files.remove(path)
            try store.create()
        }
        #expect(try files.list(outside).isEmpty)
    }

    @Test func `names of others are left out of lists`() throws {
        let content = Array("abc".utf8)
        for kind in [StoredKind.index, .data] { try store.put(stored(kind, content), content) }
        let hash = try digest(content).text
        let names = [
            "README", ".DS_Store", "._\(hash)", hash.uppercased(), String(hash.dropLast()), hash + "0",
            "\(hash)-tmp-12", "\(hash).bak", "\(hash.dropLast())g", "lost+found",
        ]
        for folder in ["index", "data/ba", "data"] {
            for name in names { _ = try files.create(fixture.path.appending(folder).appending(name)) }
        }
        // Not UTF-8.
        let component = try #require(FilePath.Component(bytes: Array(hash.utf8.dropLast()) + [0xff]))
        _ = try files.create(fixture.path.appending("index").appending(component))
        // A pack in another's folder is found by nobody; neither are folders that packs do not have.
        _ = try files.create(fixture.path.appending("data/0a").appending(hash))
        for folder in ["BA", "b", "bab", "zz"] {
            try files.makeDirectory(fixture.path.appending("data").appending(folder))
            _ = try files.create(fixture.path.appending("data").appending(folder).appending(hash))
        }
        for kind in [StoredKind.index, .data] {
            let listed = try store.list(kind)
            #expect(listed.map(\.id.text) == [hash] && listed.map(\.size) == [3])
        }
    }

    @Test func `a folder with many foreign names is listed`() throws {
        let content = Array("abc".utf8)
        try store.put(stored(.snapshots, content), content)
        let folder = fixture.path.appending("snapshots")
        for number in 0..<20_000 { _ = try files.create(folder.appending("foreign \(number)")) }
        #expect(try store.list(.snapshots).count == 1)
    }

    // MARK: Leftovers

    @Test func `what killed runs left is found and removed once it is a day old`() throws {
        let content = Array("abc".utf8)
        let hash = try digest(content).text
        try store.put(.config, content)
        try store.put(stored(.data, content), content)
        let now: Int64 = 1_800_000_000
        let places = [
            ("config-tmp-1", 100_000, true), ("data/ba/\(hash)-tmp-ff", 86_401, true),
            ("index/\(hash)-tmp-123456", 1_000_000, true), ("keys/\(hash)-tmp-1", 86_399, false),
            ("locks/\(hash)-tmp-1", -500_000, false), ("snapshots/other-tmp-1", 100_000, false),
            ("snapshots/\(hash)-tmp-", 100_000, false), ("snapshots/-tmp-1", 100_000, false),
            ("index/\(hash)", 100_000, false),
        ]
        for (name, age, _) in places {
            let file = try files.create(fixture.path.appending(name))
            try file.setModificationTime(now - Int64(age))
        }
        try files.makeDirectory(fixture.path.appending("locks/\(hash)-tmp-2"))
        let expected = places.filter(\.2).map { fixture.path.appending($0.0) }
        #expect(try store.leftovers(now: now).map(\.path) == expected)
        #expect(try store.leftovers(olderThan: .zero, now: now).count == 4)
        #expect(try store.removeLeftovers(now: now).map(\.path) == expected)
        #expect(try store.leftovers(now: now).isEmpty)
        for (name, _, isLeftover) in places {
            #expect(try files.exists(fixture.path.appending(name)) == !isLeftover, "\(name)")
        }
        #expect(try store.get(stored(.data, content)) == content && store.get(.config) == content)
    }
}
