import FaultInjection
import Logging
import Testing

@testable import Valise

/// What operations on a relay say of what they would do.
struct RelayPlanTests {
    private let folder: TemporaryFolder
    private let relay: FilePath
    private let context = OperationContext()

    init() throws {
        folder = try TemporaryFolder("valise-plans", inMemory: true)
        relay = folder.appending("relay")
    }

    private func path(_ name: RelayFolder.Name) -> FilePath { RelayFolder(relay).path(of: name) }

    private func setup() throws -> InitializeRelay {
        var setup = InitializeRelay(in: relay, hosts: [try XFTPAddress.Host("127.0.0.1")])
        setup.listen = "127.0.0.1"
        setup.port = 0
        setup.quota = 1 << 20
        setup.algorithm = .ed25519
        return setup
    }

    @Test func `a new relay is told path by path, and only where nothing is`() async throws {
        let setup = try setup()
        let plan = try await setup.plan(in: context)
        #expect(plan.created.contains(path(.settings)) && plan.created.contains(path(.files)))
        #expect(plan.replaced.isEmpty && plan.freeSpace ?? 0 > 0)
        #expect(try !FileSystem().exists(relay))
        _ = try await setup.run(in: context)
        for path in plan.created { #expect(try FileSystem().exists(path), "\(path)") }
        let error = await #expect(throws: XFTPRelayError.self) { try await setup.plan(in: context) }
        #expect(error?.code == .alreadyExists)
    }

    @Test func `a new certificate's plan asks for the key of the identity`() async throws {
        await #expect(throws: XFTPRelayError.self) { try await RenewRelay(in: relay).plan(in: context) }
        _ = try await setup().run(in: context)
        let before = try FileSystem().contents(of: path(.certificate), limit: 1 << 16)
        let plan = try await RenewRelay(in: relay).plan(in: context)
        #expect(plan.replaced == [path(.key), path(.certificate)] && plan.created.isEmpty)
        #expect(try FileSystem().contents(of: path(.certificate), limit: 1 << 16) == before)
        try FileSystem().remove(path(.authorityKey))
        let error = await #expect(throws: XFTPRelayError.self) {
            try await RenewRelay(in: relay).plan(in: context)
        }
        #expect(error?.code == .notFound)
    }

    @Test func `what changes a running relay says which one that is`() async throws {
        let made = try await setup().run(in: context)
        var operation = RunRelay(
            in: relay, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, version: "1.2")
        let plan = try await operation.plan(in: context)
        #expect(plan.address == made.address && plan.files == path(.files) && plan.quota == 1 << 20)
        let stop = OperateRelay(.stop, in: relay)
        let error = await #expect(throws: XFTPRelayError.self) { try await stop.plan(in: context) }
        #expect(error?.code == .notFound)
        let (plans, found) = AsyncStream.makeStream(of: OperateRelay.Plan.self)
        operation.started = { [context] _ in
            found.yield(try await stop.plan(in: context))
            // What the relay does not have is no question.
            let answers = RecordedAnswers(true)
            let asking = OperationContext(questions: answers)
            for request in [
                OperateRelay.Request.delete(recipient: "AAAA"), .block(recipient: "AAAA", .spam),
            ] {
                let operation = OperateRelay(request, in: stop.folder)
                let planned = await #expect(throws: OperationError.self) {
                    _ = try await operation.plan(in: asking)
                }
                let run = await #expect(throws: OperationError.self) {
                    _ = try await operation.run(in: asking)
                }
                #expect(planned?.code == .notFound && run?.code == .notFound)
            }
            #expect(answers.asked.isEmpty)
            _ = try await stop.run(in: context)
        }
        try await operation.run(in: context)
        found.finish()
        var count = 0
        for await plan in plans {
            count += 1
            #expect(plan.relay.version == "1.2" && plan.relay.port > 0)
        }
        #expect(count == 1)
    }
}
