import Foundation
import NIOCore
import Testing
import ValiseConcurrency
import ValiseXFTPClient
import ValiseXFTPWire

@testable import ValiseRelay

/// How a relay stops that has others beside it.
@Suite(.timeLimit(.minutes(2)))
struct DrainTests {
    @Test func `a relay that drains refuses uploads for the time being, and serves all else`() async throws {
        let (draining, over) = (StopSignal(), StopSignal())
        var options = RunningRelay.Options()
        options.limits.drainDelay = .seconds(7)
        options.configure = {
            $0.pause = { time in
                #expect(time == .seconds(7))
                draining.set()
                await over.wait()
            }
        }
        try await RunningRelay.with(options) { relay in
            let address = relay.server.address.onLoopback
            let server = relay.server
            try await withConnection(to: address) { connection in
                let chunk = try await TestChunk.stored(on: connection)
                let announced = try await TestChunk.created(on: connection, seed: 2)
                async let stopped: Void = server.stop()
                await draining.wait()
                #expect(try await chunk.comesBack(connection))
                let creation = await failure { _ = try await TestChunk.created(on: connection, seed: 3) }
                #expect(creation?.kind == .refused(.timeout))
                try await withConnection(to: address) { next in
                    let isBack = try await chunk.comesBack(next)
                    #expect(isBack)
                    let upload = await failure { try await announced.upload(next) }
                    #expect(upload?.kind == .refused(.timeout))
                }
                over.set()
                await stopped
            }
            let gone = await failure { try await withConnection(to: address) { _ in } }
            #expect(gone?.kind == .connectionRefused)
        }
    }
}
