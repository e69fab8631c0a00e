import ValiseCryptography
import ValiseFailures
package import ValiseStorage

/// What every store promises, asked of any of them.
///
/// Contents are named by their digests, because servers check that. Nothing here knows how a store keeps its files.
package struct BlobStoreContract: Sendable {
    /// How many files are listed; more than a server has in one answer.
    package var listedFiles: Int
    /// How many threads use the store at once.
    package var threads: Int
    /// False for servers that replace a repository's configuration without a word (rclone 1.60).
    package var keepsConfiguration: Bool
    /// False for servers that nothing can be removed from (append-only).
    package var removes: Bool
    /// False for servers that show a file to others while it is being written (rclone 1.60 on a disk).
    package var isAtomic: Bool

    /// - Parameters:
    ///   - listedFiles: more than a server has in one answer.
    ///   - threads: that use the store at once.
    ///   - keepsConfiguration: false for servers that replace it.
    ///   - removes: false for servers that keep everything but locks.
    ///   - isAtomic: false for servers that show incomplete files.
    package init(
        listedFiles: Int = 2500, threads: Int = 8, keepsConfiguration: Bool = true, removes: Bool = true,
        isAtomic: Bool = true
    ) {
        self.listedFiles = listedFiles
        self.threads = threads
        self.keepsConfiguration = keepsConfiguration
        self.removes = removes
        self.isAtomic = isAtomic
    }

    /// Asks a store for all promises.
    ///
    /// - Parameter make: a store with nothing in it, which was not created yet; called several times.
    /// - Throws: ``ContractViolation``; whatever the store throws and must not.
    package func check(_ make: () throws -> any BlobStore) throws {
        let checks: [(name: String, check: (any BlobStore) throws -> Void)] = [
            ("nothing there", checkNothing), ("round trips", checkRoundTrips), ("ranges", checkRanges),
            ("repeated puts", checkRepeatedPuts), ("what is taken over", checkBehind),
            ("removing", checkRemoving), ("lists", checkLists),
            ("threads", checkThreads),
        ]
        for (name, check) in checks {
            let store = try make()
            try store.create()
            do {
                try check(store)
            } catch let violation as ContractViolation {
                throw ContractViolation("\(name) of \(store.location): \(violation)")
            } catch {
                throw ContractViolation("\(name) of \(store.location): \(error)")
            }
        }
    }

    // MARK: What is asked

    private func checkNothing(_ store: any BlobStore) throws {
        let absent = Self.name(.snapshots, [1, 2, 3])
        for name in [.config, absent, Self.name(.data, [4])] {
            try Self.expectFailure(.notFound, "to read \(name)") { _ = try store.get(name) }
            try Self.expectFailure(.notFound, "to read a part of \(name)") { _ = try store.get(name, 0..<1) }
            try Self.expectFailure(.notFound, "the size of \(name)") { _ = try store.size(of: name) }
            try expect(!store.has(name), "\(name) is said to be there")
        }
        for kind in StoredKind.allCases { try expect(store.list(kind).isEmpty, "a file in \(kind)") }
        if removes { try store.remove(absent) }
        // A second time, and with something in it.
        try store.put(absent, [1, 2, 3])
        try store.create()
        try expect(store.get(absent) == [1, 2, 3], "a file is gone after the store was created once more")
    }

    private func checkRoundTrips(_ store: any BlobStore) throws {
        for kind in StoredKind.allCases {
            var sizes: [ContentID: Int64] = [:]
            for size in [0, 1, 4096, 5 << 20] where size < 1 << 20 || kind == .data || kind == .index {
                let content = Self.content(size)
                let name = Self.name(kind, content)
                try store.put(name, content)
                try expect(store.get(name) == content, "\(name) of \(size) bytes is not what was stored")
                try expect(store.size(of: name) == Int64(size), "\(name) has not \(size) bytes")
                try expect(store.has(name), "\(name) is not said to be there")
                sizes[Self.id(content)] = Int64(size)
            }
            let listed = try store.list(kind)
            try expect(listed.count == sizes.count, "\(listed.count) files in \(kind)")
            for (id, size) in listed { try expect(sizes[id] == size, "\(kind)/\(id.text) of \(size) bytes") }
        }
        try store.put(.config, [9, 8, 7])
        try expect(store.get(.config) == [9, 8, 7], "the configuration is not what was stored")
        try expect(store.size(of: .config) == 3, "the configuration has not 3 bytes")
    }

    private func checkRanges(_ store: any BlobStore) throws {
        let content = Self.content(100_000)
        let size = Int64(content.count)
        let name = Self.name(.data, content)
        try store.put(name, content)
        let ranges: [Range<Int64>] = [
            0..<1, 0..<size, 1..<2, 4095..<4097, 50_000..<99_999, (size - 1)..<size, 0..<0, 17..<17,
            size..<size,
        ]
        for range in ranges {
            let expected = Array(content[Int(range.lowerBound)..<Int(range.upperBound)])
            try expect(store.get(name, range) == expected, "bytes \(range) are others")
        }
        for range in [0..<size + 1, size - 1..<size + 1, size..<size + 1, size + 5..<size + 9] {
            try Self.expectFailure(.damaged, "bytes \(range) of \(size)") { _ = try store.get(name, range) }
        }
    }

    private func checkRepeatedPuts(_ store: any BlobStore) throws {
        for kind in StoredKind.allCases {
            let content = Array("again in \(kind)".utf8)
            let name = Self.name(kind, content)
            for _ in 0..<3 { try store.put(name, content) }
            try expect(store.get(name) == content, "\(name) is not what was stored thrice")
            try expect(store.list(kind).map(\.id) == [Self.id(content)], "\(kind) has not one file")
        }
        for _ in 0..<2 { try store.put(.config, [1, 2, 3]) }
        guard keepsConfiguration else { return }
        for other in [[1, 2, 4], [1, 2], [], [1, 2, 3, 4]] as [[UInt8]] {
            try Self.expectFailure(.alreadyExists, "another configuration") { try store.put(.config, other) }
            try expect(store.get(.config) == [1, 2, 3], "the configuration was replaced")
        }
    }

    private func checkBehind(_ store: any BlobStore) throws {
        let contents = (0..<20).map { Array("behind \($0)".utf8) }
        let files = try contents.map { try store.putBehind(Self.name(.data, $0), $0) }
        for place in [19, 0, 10] {
            let name = Self.name(.data, contents[place])
            try expect(store.get(name) == contents[place], "\(name) is not what was taken over")
            try expect(store.size(of: name) == Int64(contents[place].count), "\(name) has another size")
        }
        try expect(
            store.list(.data).map(\.id) == contents.map(Self.id).sorted(), "other files than were taken over")
        for file in files { try file?.settle() }
        for content in contents {
            try expect(store.get(Self.name(.data, content)) == content, "not what was settled")
        }
    }

    private func checkRemoving(_ store: any BlobStore) throws {
        // Locks can be removed everywhere.
        for kind in StoredKind.allCases where removes || kind == .locks {
            let contents = (0..<3).map { Array("\(kind) \($0)".utf8) }
            for content in contents { try store.put(Self.name(kind, content), content) }
            let name = Self.name(kind, contents[1])
            try store.remove(name)
            try Self.expectFailure(.notFound, "to read the removed \(name)") { _ = try store.get(name) }
            try expect(!store.has(name), "\(name) is said to be there after it was removed")
            let left = [contents[0], contents[2]].map(Self.id).sorted()
            try expect(store.list(kind).map(\.id) == left, "other files in \(kind) after one was removed")
            try store.remove(name)
            try store.put(name, contents[1])
            try expect(store.get(name) == contents[1], "\(name) is not what was stored again")
        }
        guard removes else { return }
        try store.put(.config, [1])
        try store.remove(.config)
        try expect(!store.has(.config), "the configuration is there after it was removed")
    }

    // MARK: Contents

    static func id(_ content: [UInt8]) -> ContentID {
        guard let id = ContentID(SHA256.hash(content)) else { preconditionFailure("a digest of 32 bytes") }
        return id
    }

    /// The name that a content has in a folder.
    package static func name(_ kind: StoredKind, _ content: [UInt8]) -> StoredName {
        .file(kind, id(content))
    }

    /// Bytes that do not repeat, the same ones for the same size.
    package static func content(_ size: Int) -> [UInt8] {
        var state = UInt64(size)
        return (0..<size).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    /// Whether the body fails with this code.
    static func expectFailure(_ code: FailureCode, _ what: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as StorageError where error.code == code {
            return
        } catch {
            throw ContractViolation("\(what): not \(code) but \(error)")
        }
        throw ContractViolation("\(what): no failure")
    }
}
