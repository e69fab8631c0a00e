import Synchronization
import Testing
import ValiseXFTPClient
import ValiseXFTPWire

struct RetryPolicyTests {
    private struct Fault: Error { var isTemporary: Bool }

    private func run(
        _ policy: RetryPolicy, failures: Int, temporary: Bool = true
    ) async -> (attempts: Int, pauses: [Double], failed: Bool) {
        var attempts = 0
        var pauses: [Double] = []
        do {
            try await policy.run(
                isTemporary: { ($0 as? Fault)?.isTemporary == true },
                sleep: {
                    pauses.append(Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18)
                }
            ) {
                attempts += 1
                if attempts <= failures { throw Fault(isTemporary: temporary) }
            }
            return (attempts, pauses, false)
        } catch {
            return (attempts, pauses, true)
        }
    }

    @Test func `pauses are constant for ten seconds and grow to three minutes`() async {
        let (_, pauses, failed) = await run(RetryPolicy(attempts: nil), failures: 20)
        #expect(!failed && pauses.count == 20)
        #expect(pauses.prefix(5) == [2, 2, 2, 2, 2])
        #expect(pauses[5] == 3 && pauses[6] == 4.5 && pauses[7] == 6.75)
        #expect(pauses.last == 180 && pauses.max() == 180)
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy(<=))
    }

    @Test func `three attempts are made of what fails for a time, one of what fails for good`() async {
        let temporary = await run(.transfer, failures: 9)
        #expect(temporary.attempts == 3 && temporary.pauses == [2, 2] && temporary.failed)
        let permanent = await run(.transfer, failures: 9, temporary: false)
        #expect(permanent.attempts == 1 && permanent.pauses.isEmpty && permanent.failed)
        let recovered = await run(.transfer, failures: 2)
        #expect(recovered.attempts == 3 && !recovered.failed)
        #expect(await run(.never, failures: 1).attempts == 1)
    }

    @Test func `only what may be better later is temporary`() {
        let temporary: [XFTPClientError.Kind] = [
            .unreachable, .timedOut, .connectionLost, .incompatible, .refused(.timeout), .refused(.session),
        ]
        let permanent: [XFTPClientError.Kind] = [
            .needsProxy, .untrusted, .protocolViolation, .damagedChunk, .wrongBody, .refused(.auth),
            .refused(.quota),
            .refused(.digest), .refused(.noFile), .refused(.size), .refused(.internal),
        ]
        #expect(temporary.allSatisfy(\.isTemporary) && !permanent.contains(where: \.isTemporary))
    }
}
