import FaultInjection
import Synchronization
import Testing

@testable import Valise

/// Entries that fail are told when they do, also where the report has them all.
struct EntryEventTests {
    private final class Heard: Sendable {
        let entries = Mutex<[String]>([])
    }

    private let folder: TemporaryFolder
    private let heard = Heard()
    private let context: OperationContext
    private var missing: [FilePath] { [folder.appending("a"), folder.appending("b")] }

    init() throws {
        folder = try TemporaryFolder("valise-entries", inMemory: true)
        let heard = heard
        context = OperationContext { event in
            if case .entryFailed(let failure) = event { heard.entries.withLock { $0.append(failure.entry) } }
        }
    }

    @Test func `files that cannot be verified are told, each once`() async throws {
        let verified = try await VerifyFiles(missing.map(FileInput.path)).run(in: context)
        #expect(verified.files.allSatisfy { $0.failure != nil })
        #expect(heard.entries.withLock { $0 } == missing.map(\.string))
    }

    @Test func `so are those whose transfer cannot be planned`() async throws {
        let planned = try await PlanTransfers(of: missing).run(in: context)
        #expect(planned.files.isEmpty && planned.failures.count == 2)
        #expect(heard.entries.withLock { $0 } == missing.map(\.string))
        await #expect(throws: (any Error).self) {
            try await PlanTransfers(of: [folder.appending("a")]).run(in: context)
        }
        #expect(heard.entries.withLock { $0.count } == 2, "what is thrown is no entry")
    }
}
