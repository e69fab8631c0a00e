import FaultInjection
import Testing
import ValiseFailures
import ValiseRepository
import ValiseStorage

import class ValiseRepository.Repository

/// Every byte of a small repository is changed once: what is wrong is found and named.
struct ByteFlipTests {
    private typealias Fixture = RepositoryFixture

    @Test func `a changed byte is found, and its file named`() throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("byte flips"))
        var stored = try StoredRepository()
        try stored.add(
            ["a": Fixture.bytes(700, &random), "folder/b": Fixture.bytes(300, &random)], piece: 256)
        let shared = try Fixture.open(stored.store)
        let lock = try Fixture.lock(shared, isExclusive: false)
        defer { lock.release() }
        let files = stored.store.files
        let total = files.values.reduce(0) { $0 + $1.count }
        let step = CryptoFixture.isSoak ? 1 : max(1, total / 300)
        var flips = 0
        for (name, content) in files.sorted(by: { $0.key.description < $1.key.description }) {
            // Never the same ones in each run.
            for place in stride(
                from: Int.random(in: 0..<min(step, content.count), using: &random), to: content.count,
                by: step)
            {
                var changed = files
                changed[name]?[place] ^= UInt8.random(in: 1...255, using: &random)
                try expectFound(name, place, MemoryStore(changed))
                flips += 1
            }
        }
        print("\(flips) of \(total) bytes")
    }

    private func expectFound(_ name: StoredName, _ place: Int, _ store: MemoryStore) throws {
        let report: CheckReport
        do {
            report = try Fixture.check(store)
        } catch let error as RepositoryError {
            // What opens the repository is damaged.
            let isNamed = error.subject == name.description || error.kind == .wrongPassword
            #expect(isNamed, "byte \(place) of \(name): \(error)")
            switch name {
            case .config, .file(.keys, _): return
            default: throw error
            }
        }
        #expect(report.errors.contains { $0.file == name }, "byte \(place) of \(name): \(report.errors)")
        if case .file(let kind, _) = name, kind == .snapshots {
            #expect(report.errors.allSatisfy { $0.snapshots.count == 1 })
        }
    }

    @Test func `a file that ends early, or goes on, is found`() throws {
        var random = SeededGenerator(seed: 31)
        let stored = try StoredRepository.sample(&random)
        let files = stored.store.files
        for name in files.keys {
            for count in [0, 1, 20, -1, -36] {
                guard let content = files[name] else { continue }
                var changed = files
                changed[name] = count < 0 ? Array(content.dropLast(-count)) : Array(content.prefix(count))
                try expectFound(name, count, MemoryStore(changed))
            }
            var longer = files
            longer[name]?.append(0)
            try expectFound(name, 0, MemoryStore(longer))
        }
    }
}
