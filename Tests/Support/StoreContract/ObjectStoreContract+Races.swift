import Synchronization
import ValiseConcurrency
import ValiseFailures
package import ValiseStorage

/// Many threads, of which one wins.
extension ObjectStoreContract {
    func checkThreads(_ store: any ObjectStore) throws {
        let each = 12
        try inThreads { thread in
            for number in 0..<each {
                let key = try ObjectKey("threads/\(number)/\(thread)")
                let content = [UInt8](repeating: UInt8(thread), count: 3000 * number + thread)
                try store.put(key, content, if: .isAbsent)
                let found = try store.get(key, nil, mostBytes: content.count)
                try expect(found.content == content, "\(key.text) is not what its thread stored")
            }
        }
        let count = try store.listed("threads/", false).count
        try expect(count == threads * each, "\(count) of \(threads * each) objects of all threads")
        try checkReaders(store)
        // Folders come and go while others are made in them.
        try inThreads { thread in
            let key = try ObjectKey("come/and/go/\(thread)")
            for _ in 0..<each {
                try store.put(key, [1], if: .always)
                try expect(store.attributes(of: key) != nil, "\(key.text) is gone, removed by nobody")
                try store.remove(key)
            }
        }
        try expect(store.listed("come/", false).isEmpty, "what was removed is there")
    }

    /// Whoever reads while others write sees all of one content, with its version.
    private func checkReaders(_ store: any ObjectStore) throws {
        let key = try ObjectKey("readers")
        let contents = (0..<2).map { [UInt8](repeating: UInt8($0), count: 100_000 + 50_000 * $0) }
        try store.put(key, contents[0], if: .always)
        try inThreads { thread in
            for number in 0..<10 {
                guard thread % 2 == 0 else {
                    let found = try store.get(key, nil, mostBytes: 200_000)
                    try expect(contents.contains(found.content), "an object was seen before it was complete")
                    continue
                }
                try store.put(key, contents[number % 2], if: .always)
            }
        }
    }

    func checkRaces(_ store: any ObjectStore) throws {
        guard holdsConditions else { return }
        try checkCreations(store)
        try checkCounter([store])
    }

    private func checkCreations(_ store: any ObjectStore) throws {
        for round in 0..<5 {
            let key = try ObjectKey("races/\(round)")
            let winners = Mutex<[Int]>([])
            try inThreads { thread in
                do {
                    try store.put(key, [UInt8(thread)], if: .isAbsent)
                    winners.withLock { $0.append(thread) }
                } catch let error as StorageError {
                    guard [.changed, .busy].contains(error.kind) else { throw error }
                }
            }
            let found = winners.withLock { $0 }
            try expect(found.count == 1, "\(found.count) of \(threads) have made \(key.text)")
            let content = try store.get(key, nil, mostBytes: 1).content
            try expect(content == found.map { UInt8($0) }, "\(key.text) is not the winner's")
        }
    }

    /// All threads count in one object, by all of these stores, which are one: no step is lost.
    package func checkCounter(_ stores: [any ObjectStore]) throws {
        let each = 10
        let key = try ObjectKey("races/counter")
        try stores[0].put(key, Array("0".utf8), if: .always)
        try inThreads { thread in
            let store = stores[thread % stores.count]
            for _ in 0..<each {
                while try !Self.count(key, store) {}
            }
        }
        let found = String(decoding: try stores[0].get(key, nil, mostBytes: 9).content, as: UTF8.self)
        try expect(found == "\(threads * each)", "\(found) instead of \(threads * each)")
    }

    /// - Returns: whether nobody else was quicker.
    private static func count(_ key: ObjectKey, _ store: any ObjectStore) throws -> Bool {
        let found = try store.get(key, nil, mostBytes: 9)
        let number = Int(String(decoding: found.content, as: UTF8.self)) ?? -1
        do {
            try store.put(key, Array("\(number + 1)".utf8), if: .isUnchanged(found.version))
            return true
        } catch let error as StorageError where [.changed, .busy].contains(error.kind) {
            return false
        }
    }

    private func inThreads(_ work: @Sendable (Int) throws -> Void) throws {
        try ParallelBatches.run(
            count: threads, workers: threads, makeWorker: {}, work: { _, thread in try work(thread) })
    }
}
