import Synchronization
import Testing
import ValiseConcurrency
import ValiseFailures

/// Between threads that may wait and tasks that must not.
struct BridgesTests {
    @Test(.timeLimit(.minutes(1)))
    func `blocking bodies wait for each other without taking the threads of tasks`() async throws {
        let executor = BlockingExecutor(threads: 64)
        // More than there are cores, and each waits until all have begun.
        let counts = Counts()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await executor.run {
                        counts.begin()
                        while counts.most < 40 { busyMoment() }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(counts.most == 40)
    }

    @Test func `no more threads than allowed are used, and everything is done`() async throws {
        let executor = BlockingExecutor(threads: 3)
        let counts = Counts()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await executor.run {
                        counts.begin()
                        busyMoment()
                        counts.end()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(counts.done == 50)
        #expect((1...3).contains(counts.most))
    }

    @Test func `a cancelled task still does its body, which sees that it is cancelled`() async throws {
        let wasCancelled = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await BlockingExecutor.shared.run { Task.isCancelled }
        }.value
        #expect(wasCancelled)
        await #expect(throws: Interruption.self) {
            try await BlockingExecutor.shared.run { throw Interruption() }
        }
    }

    @Test func `a promise is kept once, before or after somebody waits`() async throws {
        let early = Promise<Int>()
        early.keep(.success(1))
        early.keep(.success(2))
        #expect(try await early.value == 1)
        let late = Promise<Int>()
        async let first = late.value
        async let second = late.value
        late.keep(.success(3))
        #expect(try await first + second == 6)
        let broken = Promise<Int>()
        broken.keep(.failure(Interruption()))
        await #expect(throws: Interruption.self) { try await broken.value }
    }

    @Test func `a thread waits for a task, is woken, and may cancel it`() throws {
        let news = Gate()
        let task = AwaitedTask(news: news) { try await Task.sleep(for: .seconds(600)) }
        #expect((task.result(after: .milliseconds(1)) == nil))
        news.signal()
        #expect((task.result(after: .seconds(600)) == nil))
        task.cancel()
        #expect(throws: CancellationError.self) { try task.value() }
        #expect(try AwaitedTask { 5 }.value() == 5)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a blocking body waits no longer than its task is wanted, and what it waits for is cancelled`()
        async throws
    {
        let (asked, cancelled) = (Promise<Void>(), Promise<Void>())
        let asking = Task {
            try await BlockingExecutor.shared.run {
                try AwaitedTask<Void> {
                    asked.keep(.success(()))
                    try? await Task.sleep(for: .seconds(600))
                    cancelled.keep(.success(()))
                }.value()
            }
        }
        try await asked.value
        asking.cancel()
        await #expect(throws: Interruption.self) { try await asking.value }
        try await cancelled.value
    }

    @Test(.timeLimit(.minutes(1)))
    func `an answer that takes no notice of its cancellation is not waited for`() async throws {
        let (asked, answer) = (Promise<Void>(), Promise<Bool>())
        let asking = Task {
            try await BlockingExecutor.shared.run {
                try AwaitedTask<Bool> {
                    asked.keep(.success(()))
                    return try await answer.value
                }.value()
            }
        }
        try await asked.value
        asking.cancel()
        await #expect(throws: Interruption.self) { try await asking.value }
        answer.keep(.success(true))
    }

    @Test func `a cancellation is seen`() {
        let cancellation = Cancellation()
        #expect(throws: Never.self) { try cancellation.check() }
        cancellation.cancel()
        #expect(cancellation.isCancelled)
        #expect(throws: Interruption.self) { try cancellation.check() }
    }
}

/// How many bodies run and ran.
private final class Counts: Sendable {
    private struct State {
        var now = 0
        var most = 0
        var done = 0
    }

    private let state = Mutex(State())

    func begin() {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
        }
    }

    func end() {
        state.withLock { state in
            state.now -= 1
            state.done += 1
        }
    }

    var most: Int { state.withLock { $0.most } }
    var done: Int { state.withLock { $0.done } }
}

/// Keeps its thread for a moment.
private func busyMoment() {
    let end = ContinuousClock.now + .milliseconds(2)
    while ContinuousClock.now < end {}
}
