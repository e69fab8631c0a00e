import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseRelay
import ValiseXFTPWire

/// A relay against a client that is not ours.
@Suite(.enabled(if: PythonClient.isThere), .serialized)
struct RelayCommandTests {
    @Test(arguments: SigningAlgorithm.allCases)
    func `a chunk is registered, stored, read by its recipients, and deleted`(
        _ algorithm: SigningAlgorithm
    ) async throws {
        var options = RunningRelay.Options()
        options.algorithm = algorithm
        try await RunningRelay.with(options) { relay in
            try await PythonClient.play("transfer", with: relay)
            #expect(try relay.store.usage.usedSpace == 0)
            #expect(try relay.store.usage.reservedSpace == 0)
        }
    }

    @Test(arguments: ["native-session.json", "native-session-ed25519.json"])
    func `a recorded session with the official relay gets the same answers from ours`(
        _ recording: String
    ) async throws {
        try await RunningRelay.with { relay in
            try await PythonClient.play("replay", recording, with: relay)
        }
    }

    @Test(arguments: ["hello", "handshakes", "faults", "early", "ends", "protocols", "sizes", "patient"])
    func `what the fact sheet says of this is so`(_ scenario: String) async throws {
        try await RunningRelay.with { relay in
            try await PythonClient.play(scenario, with: relay)
            #expect(try relay.store.usage.reservedSpace == 0)
        }
    }

    @Test func `browsers are served where there is a certificate for them`() async throws {
        var options = RunningRelay.Options()
        options.hasWebIdentity = true
        try await RunningRelay.with(options) { relay in
            try await PythonClient.play("web", with: relay)
        }
    }

    @Test func `uploads beyond the quota are refused until there is room`() async throws {
        var options = RunningRelay.Options()
        options.quota = 131_072
        try await RunningRelay.with(options) { relay in
            try await PythonClient.play("quota", with: relay)
        }
    }

    @Test func `who does not know the password registers nothing`() async throws {
        var options = RunningRelay.Options()
        options.password = "open sesame"
        try await RunningRelay.with(options) { relay in
            try await PythonClient.play("password", with: relay)
        }
    }

    @Test func `a relay that takes no new files says no more than AUTH`() async throws {
        var options = RunningRelay.Options()
        options.acceptsNewFiles = false
        try await RunningRelay.with(options) { relay in
            try await PythonClient.play("closed", with: relay)
        }
    }

    @Test func `a blocked chunk is told as such to clients that know the word`() async throws {
        try await RunningRelay.with { relay in
            let client = try PythonClient.begin("step", with: relay)
            let name = try #require(EntityID(await client.readName()))
            try relay.store.block(name, BlockingInfo(.spam))
            try client.answer("")
            let (status, output) = await client.wait()
            #expect(status == 0)
            #expect(
                output == """
                    1|ERR AUTH|ERR AUTH|ERR AUTH
                    3|ERR BLOCKED reason=spam|ERR BLOCKED reason=spam|ERR BLOCKED reason=spam

                    """)
        }
    }

    @Test func `chunks go when their time is over`() async throws {
        var options = RunningRelay.Options()
        options.expiryInterval = .milliseconds(50)
        try await RunningRelay.with(options) { relay in
            let client = try PythonClient.begin("step", with: relay)
            _ = await client.readName()
            relay.clockOffset.advance(by: 48 * 3600)
            try await Task.sleep(for: .milliseconds(300))
            #expect(try relay.store.usage.chunks == 1)
            relay.clockOffset.advance(by: 2 * 3600)
            try await eventually { try relay.store.usage.chunks == 0 }
            try client.answer("")
            let (status, output) = await client.wait()
            #expect(status == 0)
            #expect(output.hasPrefix("1|ERR AUTH|ERR AUTH|ERR AUTH\n"))
        }
    }
}

extension PythonClient.Run {
    /// A name in hexadecimal digits, alone on its line.
    func readName() async -> [UInt8] {
        Hexadecimal.decode(await readLine()) ?? []
    }
}

/// Waits until something is so, and fails when it does not come to be.
func eventually(
    within seconds: Double = 60, location: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
        if try condition() { return }
        try await Task.sleep(for: .milliseconds(20))
    }
    #expect(try condition(), sourceLocation: location)
}
