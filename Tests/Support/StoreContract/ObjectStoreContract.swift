import ValiseFailures
package import ValiseStorage

/// What every store of objects promises, asked of any of them.
package struct ObjectStoreContract: Sendable {
    /// How many objects are listed; more than a server has in one answer.
    package var listedObjects: Int
    /// How many threads use the store at once.
    package var threads: Int
    /// False for servers that refuse `If-Match` (OpenStack Swift), and that may let two writers win a race.
    package var holdsConditions: Bool
    /// False for servers that store what does not have its digest (moto).
    package var comparesDigests: Bool
    /// Of the random lists.
    package var seed: UInt64

    /// - Parameters:
    ///   - listedObjects: more than a server has in one answer.
    ///   - threads: that use the store at once.
    ///   - holdsConditions: false for servers whose conditions do not hold in races.
    ///   - comparesDigests: false for servers that store what does not have its digest.
    ///   - seed: of the random lists.
    package init(
        listedObjects: Int = 2500, threads: Int = 8, holdsConditions: Bool = true,
        comparesDigests: Bool = true,
        seed: UInt64 = .random(in: 0...999_999)
    ) {
        self.listedObjects = listedObjects
        self.threads = threads
        self.holdsConditions = holdsConditions
        self.comparesDigests = comparesDigests
        self.seed = seed
    }

    /// Asks a store for all promises.
    ///
    /// - Parameter make: a store with nothing in it; called several times.
    /// - Throws: ``ContractViolation``; whatever the store throws and must not.
    package func check(_ make: () throws -> any ObjectStore) throws {
        let checks: [(name: String, check: (any ObjectStore) throws -> Void)] = [
            ("nothing there", checkNothing), ("round trips", checkRoundTrips), ("ranges", checkRanges),
            ("sources", checkSources), ("pieces", checkPieces),
            ("conditions", checkConditions), ("removing", checkRemoving), ("names", checkNames),
            ("lists", checkLists), ("long lists", checkLongLists), ("threads", checkThreads),
            ("races", checkRaces),
        ]
        for (name, check) in checks {
            let store = try make()
            do {
                try check(store)
            } catch let violation as ContractViolation {
                throw ContractViolation("\(name) of \(store.location), seed \(seed): \(violation)")
            } catch {
                throw ContractViolation("\(name) of \(store.location), seed \(seed): \(error)")
            }
        }
    }

    // MARK: What is asked

    private func checkNothing(_ store: any ObjectStore) throws {
        for text in ["a", "a/b/c"] {
            let key = try ObjectKey(text)
            try Self.expectFailure(.notFound, "to read \(text)") { _ = try store.get(key, nil, mostBytes: 9) }
            try Self.expectFailure(.notFound, "a part of \(text)") {
                _ = try store.get(key, 0..<1, mostBytes: 9)
            }
            try Self.expectFailure(.notFound, "an empty part of \(text)") {
                _ = try store.get(key, 0..<0, mostBytes: 9)
            }
            try expect(store.attributes(of: key) == nil, "\(text) has attributes")
            try store.remove(key)
        }
        for prefix in ["", "a", "a/", "/", "../", "a//b"] {
            for isDelimited in [false, true] {
                try expect(store.listed(prefix, isDelimited).isEmpty, "something below \(prefix)")
            }
        }
        try expect(store.hasConditionalWrites() == holdsConditions, "another answer about conditions")
        try expect(store.hasConditionalWrites() == holdsConditions, "another second answer about conditions")
        try expect(store.listed("", false).isEmpty, "something is left of the probe")
    }

    private func checkRoundTrips(_ store: any ObjectStore) throws {
        let key = try ObjectKey("some/place")
        var versions: Set<ObjectVersion> = []
        for size in [0, 1, 4096, 1 << 20, 17, 0] {
            let content = BlobStoreContract.content(size)
            let version = try store.put(key, content, if: .always)
            let found = try store.get(key, nil, mostBytes: size)
            try expect(found.content == content, "\(size) bytes are not what was stored")
            try expect(found.version == version, "\(size) bytes have another version than was said")
            let attributes = try store.attributes(of: key)
            try expect(attributes?.size == Int64(size), "not \(size) bytes")
            try expect(attributes?.version == version, "the attributes have another version")
            try expect((attributes?.modified ?? 0) > 1_000_000_000, "no time")
            try expect(
                store.listed("", false) == attributes.map { [ListedObject.object(key, $0)] },
                "the list has other attributes than the object")
            versions.insert(version)
            guard size > 0 else { continue }
            try Self.expectFailure(.damaged, "\(size) bytes that are too many") {
                _ = try store.get(key, nil, mostBytes: size - 1)
            }
        }
        try expect(versions.count >= 5, "two contents have one version")
    }

    private func checkRanges(_ store: any ObjectStore) throws {
        let content = BlobStoreContract.content(100_000)
        let size = Int64(content.count)
        let key = try ObjectKey("ranges")
        let version = try store.put(key, content, if: .always)
        let ranges: [Range<Int64>] = [
            0..<1, 0..<size, 1..<2, 4095..<4097, 50_000..<99_999, (size - 1)..<size, 0..<0, 17..<17,
            size..<size,
        ]
        for range in ranges {
            let found = try store.get(key, range, mostBytes: 1)
            let expected = content[Int(range.lowerBound)..<Int(range.upperBound)]
            try expect(found.content[...] == expected, "bytes \(range) are others")
            try expect(found.version == version, "bytes \(range) have another version")
        }
        for range in [0..<size + 1, size - 1..<size + 1, size..<size + 1, size + 5..<size + 9] {
            try Self.expectFailure(.damaged, "bytes \(range) of \(size)") {
                _ = try store.get(key, range, mostBytes: .max)
            }
        }
    }

    private func checkConditions(_ store: any ObjectStore) throws {
        let key = try ObjectKey("x/conditions")
        let first = try store.put(key, [1], if: .isAbsent)
        for content in [[1], [2]] as [[UInt8]] {
            try Self.expectChanged("to make what is there") { try store.put(key, content, if: .isAbsent) }
        }
        try expect(store.get(key, nil, mostBytes: 9).content == [1], "what was there was replaced")
        guard holdsConditions else {
            return try Self.expectFailure(.unsupported, "an update with a condition") {
                try store.put(key, [2], if: .isUnchanged(first))
            }
        }
        let second = try store.put(key, [2, 2], if: .isUnchanged(first))
        try expect(second != first, "two contents have one version")
        try Self.expectChanged("to replace what has changed") {
            try store.put(key, [3], if: .isUnchanged(first))
        }
        let found = try store.get(key, nil, mostBytes: 9)
        try expect(found.content == [2, 2] && found.version == second, "not the second content")
        let third = try store.put(key, [4, 4, 4], if: .always)
        try Self.expectChanged("to replace what was replaced") {
            try store.put(key, [5], if: .isUnchanged(second))
        }
        try store.remove(key)
        try Self.expectChanged("to replace what is gone") {
            try store.put(key, [6], if: .isUnchanged(third))
        }
        try expect(store.attributes(of: key) == nil, "what was removed is back")
        let absent = try ObjectKey("x/y/never")
        try Self.expectChanged("to replace what never was") {
            try store.put(absent, [6], if: .isUnchanged(third))
        }
        try store.put(key, [7], if: .isAbsent)
        try expect(store.get(key, nil, mostBytes: 9).content == [7], "not what was made again")
    }

    private func checkRemoving(_ store: any ObjectStore) throws {
        let keys = try ["a/b/c", "a/b/d", "a/e"].map { try ObjectKey($0) }
        for key in keys { try store.put(key, Array(key.text.utf8), if: .always) }
        for (place, key) in keys.enumerated() {
            for _ in 0..<2 { try store.remove(key) }
            try expect(store.attributes(of: key) == nil, "\(key.text) is there after it was removed")
            let left = keys[(place + 1)...]
            try expect(store.listed("", false).map(\.text) == left.map(\.text), "others are gone")
        }
        for isDelimited in [false, true] {
            try expect(store.listed("", isDelimited).isEmpty, "a folder is there with nothing in it")
        }
        // What was a folder is none any more.
        let key = try ObjectKey("a")
        try store.put(key, [1], if: .isAbsent)
        try expect(store.get(key, nil, mostBytes: 1).content == [1], "not what has the name of a folder")
    }

    // MARK: Failures

    /// Whether the body fails with this code.
    static func expectFailure(_ code: FailureCode, _ what: String, _ body: () throws -> Void) throws {
        try BlobStoreContract.expectFailure(code, what, body)
    }

    /// Whether the body fails because its condition is not met.
    static func expectChanged(_ what: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as StorageError where error.kind == .changed {
            return
        } catch {
            throw ContractViolation("\(what): \(error)")
        }
        throw ContractViolation("\(what): no failure")
    }
}

extension ObjectStore {
    /// All of a list.
    package func listed(
        _ prefix: String, _ isDelimited: Bool, after: String? = nil
    ) throws -> [ListedObject] {
        var listed: [ListedObject] = []
        try list(prefix, isDelimited: isDelimited, after: after) {
            listed.append($0)
            return true
        }
        return listed
    }
}
