import FaultInjection
import Testing
import ValiseRepository
import ValiseStorage

@testable import Valise

/// Data is removed that no snapshot uses, and nothing else.
struct PruneRepositoryTests {
    private func operation(
        _ repository: MaintainedRepository, hours: Int64 = 0
    ) -> PruneRepository {
        var operation = PruneRepository(repository.input)
        operation.limits.unused = .bytes(0)
        operation.clock = { MaintainedRepository.beginning + hours * 3600 }
        return operation
    }

    /// A pack that no index names.
    private func addPack(_ repository: MaintainedRepository) throws -> ContentID {
        let content = MaintainedRepository.noise(5000, seed: 9)
        let id = try ContentID(hashing: content)
        try repository.store.put(.file(.data, id), content)
        return id
    }

    @Test func `a pack that no index names stays for a day`() async throws {
        let repository = try MaintainedRepository()
        try repository.backUp()
        let pack = try addPack(repository)
        let first = try await operation(repository).run(in: repository.context)
        #expect(first.plan.spared.count == 1 && first.removedPacks == 0)
        #expect(try repository.names(.data).contains(pack))
        #expect(try repository.memory()?.unindexedPacks?.keys.map(\.self) == [pack.text])
        _ = try await operation(repository, hours: 22).run(in: repository.context)
        #expect(try repository.names(.data).contains(pack))
        let last = try await operation(repository, hours: 24).run(in: repository.context)
        #expect(last.removedPacks == 1)
        #expect(try !repository.names(.data).contains(pack))
        #expect(try repository.memory()?.unindexedPacks == nil)
        try ResticCheck.run(repository)
    }

    @Test func `nothing is asked where nothing is to be removed`() async throws {
        let repository = try MaintainedRepository(answering: nil)
        try repository.backUp()
        let report = try await operation(repository).run(in: repository.context)
        #expect(report.plan.isEmpty && report.removedPacks == 0)
    }

    @Test(arguments: [false, nil] as [Bool?])
    func `nothing is removed without consent`(answer: Bool?) async throws {
        let repository = try MaintainedRepository(answering: answer)
        let id = try repository.backUp(media: MaintainedRepository.noise(2_000_000, seed: 1))
        try repository.backUp(day: 1)
        try repository.store.remove(.file(.snapshots, id))
        try FileSystem().remove(repository.account.filesFolder.appending("file0"))
        let last = try repository.backUp(day: 2)
        for other in try repository.names(.snapshots) where other != last {
            try repository.store.remove(.file(.snapshots, other))
        }
        let before = try repository.names(.data)
        let error = await #expect(throws: OperationError.self) {
            try await operation(repository).run(in: repository.context)
        }
        #expect(error?.need == .agreement)
        #expect(try repository.names(.data) == before)
    }

    @Test func `nothing is removed where something is missing that a snapshot uses`() async throws {
        let repository = try MaintainedRepository()
        try repository.backUp()
        try FileSystem().remove(repository.path(ofPack: repository.largestPack()))
        let before = try repository.names(.data)
        let error = await #expect(throws: RepositoryError.self) {
            try await operation(repository).run(in: repository.context)
        }
        #expect(error?.message.contains("Nothing was changed") == true)
        #expect(try repository.names(.data) == before)
    }

    @Test func `a backup beside it keeps it out`() async throws {
        let repository = try MaintainedRepository()
        try repository.backUp()
        let lock = try RepositoryLock.take(repository.open(), isExclusive: false)
        defer { lock.release() }
        _ = try await operation(repository).plan(in: repository.context)
        let error = await #expect(throws: RepositoryError.self) {
            try await operation(repository).run(in: repository.context)
        }
        #expect(error?.code == .inUse)
    }
}
