import FaultInjection
import Testing

@testable import ValiseRelay

/// Memory that connections share.
struct BufferAllowanceTests {
    @Test func `each has its own in any case, and what is given back is there for others`() {
        let shared = SharedBuffers(bytes: 100)
        var (first, second) = (
            BufferAllowance(own: 50, shared: shared), BufferAllowance(own: 50, shared: shared)
        )
        var answers = [first.take(150), first.take(1), second.take(50), second.take(1)]
        #expect(answers == [true, false, true, false])
        first.release(60)
        answers = [second.take(61), second.take(60)]
        #expect(answers == [false, true])
        first.release(90)
        answers = [second.take(40), second.take(1)]
        #expect(answers == [true, false])
    }

    @Test func `nothing is lost or won in any order`() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let shared = SharedBuffers(bytes: 10_000)
        var allowances = (0..<5).map { _ in BufferAllowance(own: 300, shared: shared) }
        var taken = [[Int]](repeating: [], count: 5)
        for _ in 0..<20_000 {
            let one = Int.random(in: 0..<5, using: &generator)
            if Bool.random(using: &generator), !taken[one].isEmpty {
                allowances[one].release(
                    taken[one].remove(at: .random(in: 0..<taken[one].count, using: &generator)))
            } else {
                let bytes = Int.random(in: 0...1000, using: &generator)
                if allowances[one].take(bytes) { taken[one].append(bytes) }
            }
            let beyond = taken.reduce(0) { $0 + max(0, $1.reduce(0, +) - 300) }
            #expect(beyond <= 10_000, "seed \(seed)")
        }
        for one in 0..<5 { for bytes in taken[one] { allowances[one].release(bytes) } }
        #expect(shared.take(10_000), "seed \(seed)")
        #expect(!shared.take(1))
    }
}
