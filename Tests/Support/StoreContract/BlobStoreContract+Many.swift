import Synchronization
import ValiseConcurrency
import ValiseFailures
import ValiseStorage

/// Many files, and many threads.
extension BlobStoreContract {
    private struct Stop: Error {}

    func checkLists(_ store: any BlobStore) throws {
        for (kind, count) in [(StoredKind.index, listedFiles), (.data, min(300, listedFiles)), (.locks, 3)] {
            let contents = (0..<count).map { Array("\(kind) \($0)".utf8) }
            try ParallelBatches.run(
                count: count, workers: threads, makeWorker: {},
                work: { _, number in
                    try store.put(Self.name(kind, contents[number]), contents[number])
                })
            let listed = try store.list(kind)
            try expect(listed.count == count, "\(listed.count) of \(count) files in \(kind)")
            try expect(listed.map(\.id) == contents.map(Self.id).sorted(), "other files in \(kind)")
            let total = contents.reduce(0) { $0 + Int64($1.count) }
            try expect(listed.reduce(0) { $0 + $1.size } == total, "other sizes in \(kind)")
        }
        var seen = 0
        do {
            try store.list(.index) { _, _ in
                seen += 1
                if seen == 2 { throw Stop() }
            }
            throw ContractViolation("a list went on after its reader had thrown")
        } catch is Stop {
            try expect(seen == 2, "a list went on after its reader had thrown")
        }
        guard removes else { return }
        // What is listed may be removed meanwhile.
        try store.list(.locks) { id, _ in try store.remove(.file(.locks, id)) }
        try expect(store.list(.locks).isEmpty, "files that were removed while they were listed")
    }

    func checkThreads(_ store: any BlobStore) throws {
        try checkDifferentNames(store)
        if isAtomic { for kind in [StoredKind.data, .snapshots] { try checkOneName(kind, store) } }
        let configuration: [UInt8] = [1, 2, 3, 4]
        try inThreads { _ in try store.put(.config, configuration) }
        try expect(store.get(.config) == configuration, "the configuration is not what all threads stored")
    }

    private func checkDifferentNames(_ store: any BlobStore) throws {
        let each = 12
        try inThreads { thread in
            for number in 0..<each {
                let content = [UInt8](repeating: UInt8(thread), count: 5000 * number + thread)
                let name = Self.name(.data, content)
                try store.put(name, content)
                try expect(store.get(name) == content, "\(name) is not what its thread stored")
            }
        }
        let found = try store.list(.data)
        // The first of thread 0 is empty; all the others differ by their bytes.
        try expect(found.count == threads * each, "\(found.count) of \(threads * each) files of all threads")
    }

    /// Whoever reads while others store sees all of it or nothing.
    private func checkOneName(_ kind: StoredKind, _ store: any BlobStore) throws {
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let name = Self.name(kind, content)
        let reads = Mutex(0)
        try inThreads { thread in
            guard thread % 2 == 1 else { return try store.put(name, content) }
            for _ in 0..<20 {
                do {
                    try expect(store.get(name) == content, "\(name) was seen before it was complete")
                    reads.withLock { $0 += 1 }
                } catch let error as StorageError where error.code == .notFound {
                    continue
                }
            }
        }
        try expect(store.get(name) == content, "\(name) is not what all threads stored")
        let files = try store.list(kind).filter { $0.id == Self.id(content) }
        try expect(files.count == 1 && files[0].size == Int64(content.count), "\(name) is listed otherwise")
    }

    private func inThreads(_ work: @Sendable (Int) throws -> Void) throws {
        try ParallelBatches.run(
            count: threads, workers: threads, makeWorker: {}, work: { _, thread in try work(thread) })
    }
}
