import FaultInjection
import Foundation
import StoreContract
import Synchronization
import SystemPackage
import TestPeers
import Testing
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

@testable import ValiseStorage

/// Servers that break the protocol, and connections that end.
@Suite(.enabled(if: SFTPFixture.hasPython))
struct SFTPFaultTests {
    private let fixture: SFTPFixture
    private let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    init() throws {
        fixture = try SFTPFixture()
        try fixture.local.create()
        try fixture.local.put(stored(.index, content), content)
    }

    private var name: StoredName { stored(.data, content) }

    /// One of each request, on something that is there and something that is not.
    private func requests(_ store: SFTPStore) -> [() throws -> Void] {
        let there = stored(.index, content)
        return [
            { try store.put(name, content) }, { try expect(store.get(there) == content) },
            { try expect(store.size(of: there) == Int64(content.count)) },
            { try expect(store.list(.index).count == 1) }, { try store.put(there, content) },
            { try store.remove(stored(.locks, [1])) },
        ]
    }

    /// In a function of its own: the macro does not see that a closure may throw.
    private func expect(_ isKept: Bool) throws { #expect(isKept) }

    /// What fails of it. Whatever did not fail is what was asked for.
    private func failures(_ command: SFTPCommand) throws -> [StorageError] {
        try? fixture.local.remove(name)
        let store = try fixture.store(command)
        return try requests(store).compactMap { request in
            do {
                try request()
                return nil
            } catch {
                return try #require(error as? StorageError)
            }
        }
    }

    /// What is under a final name is complete, whatever happened.
    private func checkComplete() throws {
        for kind in StoredKind.allCases {
            for (id, _) in try fixture.local.list(kind) {
                #expect(try digest(fixture.local.get(.file(kind, id))) == id)
            }
        }
    }

    // MARK: Answers

    @Test(arguments: ["huge", "zero", "id", "twice", "type", "mismatch"])
    func `an answer that breaks the protocol is a failure of the answer`(fault: String) throws {
        for number in FaultSweep.few(of: 1...12) {
            let found = try failures(fixture.misbehaving(["\(fault):\(number)"]))
            #expect(found.allSatisfy { $0.kind == .answer && $0.isTransient }, "\(number): \(found)")
            if number <= 3 { #expect(!found.isEmpty, "\(number)") }
            try checkComplete()
            // The next request has a connection of its own.
            let once = fixture.misbehaving(["\(fault):\(number)", fixture.once("\(fault) \(number)")])
            #expect(try failures(once).count <= 1)
        }
        #expect(try fixture.areGone())
    }

    @Test(arguments: ["endless", "nameless", "count"])
    func `a folder without an end is not listed`(fault: String) throws {
        let store = try fixture.store(fixture.misbehaving([fault]), mostNames: 100_000)
        for kind in [StoredKind.index, .data] {
            let found = storageFailure { _ = try store.list(kind) }
            #expect(found?.kind == .answer, "\(found as Any)")
        }
    }

    @Test(arguments: ["long-data", "empty-data"])
    func `another number of bytes than was asked for is no content`(fault: String) throws {
        let store = try fixture.store(fixture.misbehaving([fault]))
        for range in [nil, 5..<9] as [Range<Int64>?] {
            #expect(storageFailure { _ = try store.get(stored(.index, content), range) }?.kind == .answer)
        }
    }

    @Test func `text before the protocol is told of as such, and another version is not supported`() throws {
        let text = try fixture.store(fixture.misbehaving(["text"]))
        let found = storageFailure { _ = try text.size(of: .config) }
        #expect(found?.kind == .answer && found?.message.contains("start-up file") == true)
        let version = try fixture.store(fixture.misbehaving(["version"]))
        #expect(storageFailure { _ = try version.size(of: .config) }?.code == .unsupported)
    }

    @Test func `a full disk is told of as such where the server knows`() throws {
        let store = try fixture.store(fixture.misbehaving(["disk-full"]))
        let found = storageFailure { try store.put(name, content) }
        #expect(found?.code == .noSpace && found?.subject == "\(store.location)/\(name)")
        let silent = try fixture.store(fixture.misbehaving(["disk-full", "no-extensions"]))
        let other = storageFailure { try silent.put(name, content) }
        #expect(other?.code == .failed && other?.message.contains("no reason") == true)
        // The temporary files are removed, without waiting for it.
        _ = try silent.size(of: stored(.index, content))
        #expect(try TemporaryFolder.contents(of: fixture.path).keys.allSatisfy { !$0.contains("-tmp-") })
    }

    // MARK: Connections

    @Test(arguments: [("die", "exit status 6"), ("cut", "exit status 7"), ("killed", "signal 9")])
    func `a server that ends is unreachable, with the way it ended`(fault: String, end: String) throws {
        for number in FaultSweep.few(of: 1...10) {
            let found = try failures(fixture.misbehaving(["\(fault):\(number)"]))
            #expect(
                found.allSatisfy { $0.kind == .unreachable && $0.message.contains(end) },
                "\(number): \(found)")
            #expect(number > 5 || !found.isEmpty)
            try checkComplete()
            // Once is made good without anybody seeing it.
            let once = fixture.misbehaving(["\(fault):\(number)", fixture.once("\(fault) \(number)")])
            #expect(try failures(once).isEmpty)
            #expect(try fixture.local.get(name) == content)
        }
        #expect(try fixture.areGone())
    }

    @Test(arguments: ["die-in-write:1", "die-in-write:4", "die-in-write:7", "die-before-rename"])
    func `a server that ends while it stores leaves nothing under the name`(fault: String) throws {
        let store = try fixture.store(fixture.misbehaving([fault]))
        #expect(storageFailure { try store.put(name, content) }?.kind == .unreachable)
        #expect(try !fixture.local.has(name))
        #expect(try fixture.local.list(.data).isEmpty)
        let other = try fixture.store(fixture.misbehaving([]))
        #expect(try other.list(.data).isEmpty && !other.has(name))
        try other.put(name, content)
        #expect(try fixture.local.get(name) == content)
    }

    @Test func `a file whose answer was lost is there, and stored again it is the same`() throws {
        let store = try fixture.store(fixture.misbehaving(["die-after-rename"]))
        try store.put(name, content)
        #expect(try fixture.local.get(name) == content)
        #expect(try fixture.processes().count == 2)
        try store.put(name, content)
    }

    @Test func `what a lost connection left is removed over the next one`() throws {
        let store = try fixture.store(fixture.misbehaving(["die-in-write:3", fixture.once()]))
        try store.put(name, content)
        _ = try store.size(of: name)
        #expect(try TemporaryFolder.contents(of: fixture.path).keys.allSatisfy { !$0.contains("-tmp-") })
    }

    @Test func `a server that cannot be reached is one, and one that is not installed is not there`() throws {
        let store = try fixture.store(fixture.misbehaving(["die-at-start"]))
        let found = storageFailure { try store.put(name, content) }
        #expect(found?.kind == .unreachable && found?.message.contains("exit status 255") == true)
        #expect(found?.subject == store.location)
        let missing = try fixture.store(SFTPCommand("valise-no-such-program", []))
        let other = storageFailure { try missing.put(name, content) }
        #expect(other?.isTransient == false && other?.subject == "valise-no-such-program")
    }

    @Test func `threads that wait for one connection share its failure`() throws {
        let store = try fixture.store(fixture.misbehaving(["slow-start", "die-at-start"]))
        let failures = Mutex(0)
        try ParallelBatches.run(
            count: 8, workers: 8, makeWorker: {},
            work: { _, _ in
                let found = storageFailure { _ = try store.size(of: .config) }
                if found?.kind == .unreachable { failures.withLock { $0 += 1 } }
            })
        #expect(failures.withLock { $0 } == 8)
        // A thread that begins late may try itself.
        #expect(try fixture.processes().count <= 2)
    }

    @Test func `many threads go on after their connection is lost`() throws {
        let store = try fixture.store(fixture.misbehaving(["die:150", fixture.once()]))
        try ParallelBatches.run(
            count: 40, workers: 8, makeWorker: {},
            work: { _, number in
                let content = [UInt8](repeating: UInt8(number), count: 50_000)
                try store.put(stored(.data, content), content)
                #expect(try store.get(stored(.data, content)) == content)
            })
        #expect(try fixture.local.list(.data).count == 40)
        #expect(try fixture.processes().count == 2)
    }

    // MARK: Waiting

    @Test(arguments: ["hang:1", "hang:3", "deaf:2"])
    func `whoever waits for a server that is silent can stop`(fault: String) throws {
        let cancellation = Cancellation()
        // More than a pipe takes.
        let content = [UInt8](repeating: 1, count: 3 << 20)
        do {
            let store = try fixture.store(fixture.misbehaving([fault])) { try cancellation.check() }
            WorkerThread.start {
                FileSystem.wait(.milliseconds(700))
                cancellation.cancel()
            }
            #expect(throws: Interruption.self) { try store.put(stored(.data, content), content) }
        }
        #expect(try fixture.areGone())
        #expect(try fixture.local.list(.data).isEmpty)
    }

    @Test(arguments: ["hang:2", "deaf:2"])
    func `a server that is silent for long is unreachable`(fault: String) throws {
        let store = try fixture.store(fixture.misbehaving([fault]), patience: .milliseconds(500))
        let content = [UInt8](repeating: 1, count: 3 << 20)
        let found = storageFailure { try store.put(stored(.data, content), content) }
        #expect(found?.kind == .unreachable && found?.message.contains("does not answer") == true)
    }

    @Test func `a server that does not want to end is ended`() throws {
        do {
            let store = try fixture.store(fixture.misbehaving(["stubborn"]))
            _ = try store.size(of: stored(.index, content))
        }
        #expect(try fixture.processes().count == 1)
        #expect(try fixture.areGone())
    }

    // MARK: Kills

    @Test(.enabled(if: SFTPFixture.hasServer))
    func `kills of the server at any time leave files complete or not there`() throws {
        let log = fixture.folder.appending("log")
        let command = SFTPCommand(
            "sh", ["-c", "echo $$ >> \"$1\"; exec \"$2\"", "sh", log.string, SFTPFixture.server ?? ""])
        let clock = StoppedClock().clock
        let store = RetryingStore(try fixture.store(command), RetryRules(mostAttempts: 1000), clock: clock)
        let isDone = Cancellation()
        var generator = SeededGenerator(seed: UInt64.random(in: 0...999_999))
        let pauses = (0..<2000).map { _ in Int.random(in: 1...30, using: &generator) }
        let killer = BackgroundTask<Int> { _ in
            var kills = 0
            for pause in pauses where !isDone.isCancelled {
                FileSystem.wait(.milliseconds(pause))
                guard let last = try fixture.processes().last, kill(last, SIGKILL) == 0 else { continue }
                kills += 1
            }
            return kills
        }
        let rounds = FaultSweep.isIntact ? 1000 : 60
        for round in 0..<rounds {
            let content = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 300_000 + round)
            try store.put(stored(.data, content), content)
            #expect(try store.get(stored(.data, content)) == content)
        }
        isDone.cancel()
        #expect(try killer.value() > 0)
        try checkComplete()
        #expect(try fixture.local.list(.data).count == rounds)
    }
}
