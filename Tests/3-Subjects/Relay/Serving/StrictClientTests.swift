import Testing
import ValiseRelay

/// Our relay against a client as strict as the official one.
@Suite(.enabled(if: PythonClient.isThere), .timeLimit(.minutes(3)))
struct StrictClientTests {
    @Test func `a client with one window for all answers and no patience for odd frames gets everything`()
        async throws
    {
        try await RunningRelay.with { relay in
            try await PythonClient.play("official", with: relay)
            #expect(try relay.store.usage.reservedSpace == 0)
        }
    }

    @Test func `a client that sends refused uploads to their end goes on over the same connection`()
        async throws
    {
        var options = RunningRelay.Options()
        options.quota = 4_194_304
        try await RunningRelay.with(options) { relay in
            try await PythonClient.play("refused", with: relay)
            #expect(try relay.store.usage.reservedSpace == 0)
        }
    }
}
