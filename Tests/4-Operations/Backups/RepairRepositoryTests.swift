import FaultInjection
import Testing
import ValiseRepository
import ValiseStorage

@testable import Valise

/// What is damaged is repaired, and nothing that can be read is removed.
struct RepairRepositoryTests {
    private let repository: MaintainedRepository
    private let snapshot: ContentID

    init() throws {
        repository = try MaintainedRepository()
        snapshot = try repository.backUp(media: MaintainedRepository.noise(2_000_000, seed: 1))
    }

    private func repair(_ part: RepairRepository.Part) -> RepairRepository {
        RepairRepository(part, of: repository.input)
    }

    private func verify(
        _ reading: VerifyRepository.Reading = .none
    ) async throws -> VerifiedRepository {
        var verify = VerifyRepository(repository.input)
        verify.reading = reading
        return try await verify.run(in: repository.context)
    }

    @Test func `a lost index is made from the packs, and the plan says so before`() async throws {
        for index in try repository.names(.index) { try repository.store.remove(.file(.index, index)) }
        #expect(try await !verify().isIntact)
        let repair = repair(.index(readsAllPacks: false))
        let plan = try await repair.plan(in: repository.context)
        let packs = try repository.names(.data)
        #expect(Set(plan.index?.added ?? []) == Set(packs.map(\.text)))
        #expect(try repository.names(.index).isEmpty)
        let report = try await repair.run(in: repository.context)
        #expect(report.index?.added == plan.index?.added && !report.hasEntryErrors)
        #expect(try repository.names(.data) == packs)
        #expect(try await verify().isIntact)
        try ResticCheck.run(repository)
        #expect(try await repair.run(in: repository.context).index?.isEmpty == true)
    }

    @Test func `an index that cannot be read is replaced`() async throws {
        let content = Array("nothing of ours".utf8)
        try repository.store.put(.file(.index, ContentID(hashing: content)), content)
        let repair = repair(.index(readsAllPacks: true))
        #expect(try await repair.plan(in: repository.context).index?.removedFiles == 1)
        #expect(try await repair.run(in: repository.context).index?.removedFiles == 1)
        #expect(try await verify().isIntact)
    }

    @Test func `a snapshot that lost something is written anew, and the old one stays`() async throws {
        try FileSystem().remove(repository.path(ofPack: repository.largestPack()))
        let repair = repair(.snapshots(readsData: false))
        let plan = try await repair.plan(in: repository.context)
        #expect(plan.snapshots?.repaired.map(\.snapshot) == [snapshot.text])
        #expect(try repository.names(.snapshots) == [snapshot])
        let report = try await repair.run(in: repository.context)
        let repaired = try #require(report.snapshots?.repaired.first)
        #expect(!repaired.entries.isEmpty && repaired.entries == plan.snapshots?.repaired.first?.entries)
        #expect(try repository.names(.snapshots).map(\.text).contains(repaired.replacement ?? ""))
        #expect(try repository.names(.snapshots).contains(snapshot))
        // The lost pack goes from the index, the old snapshot from the repository: what is left is intact.
        _ = try await self.repair(.index(readsAllPacks: false)).run(in: repository.context)
        try repository.store.remove(.file(.snapshots, snapshot))
        #expect(try await verify().isIntact)
        try ResticCheck.run(repository)
    }

    @Test func `what a flipped bit destroyed is stored again by the next backup`() async throws {
        let pack = try repository.largestPack()
        try repository.flip(pack)
        // The index says still that everything is stored.
        _ = try repository.backUp(media: MaintainedRepository.noise(2_000_000, seed: 1))
        #expect(try await !verify(.all).isIntact)
        let repair = repair(.packs)
        let plan = try await repair.plan(in: repository.context)
        #expect(plan.packs?.damaged == [pack.text] && plan.packs?.lost == nil)
        let report = try await repair.run(in: repository.context)
        let packs = try #require(report.packs)
        #expect(packs.damaged == [pack.text] && packs.lost == 1 && (packs.saved ?? 0) > 0)
        #expect(try repository.names(.data).contains(pack))
        #expect(try await !verify().isIntact)
        _ = try repository.backUp(media: MaintainedRepository.noise(2_000_000, seed: 1))
        // Also the snapshots of before are whole again. The damaged pack is garbage by now, for a prune of another day.
        let verified = try await verify()
        #expect(verified.isIntact && verified.losses.isEmpty && verified.snapshots == 3)
        // And no repair of the index brings it back.
        let index = try await self.repair(.index(readsAllPacks: true)).run(in: repository.context).index
        #expect(index?.isEmpty == true)
        #expect(try await verify(.all).isIntact)
        try ResticCheck.run(repository)
        #expect(try await repair.run(in: repository.context).packs?.damaged == [])
    }

    @Test func `what is damaged counts as lost where data is read`() async throws {
        try repository.flip(repository.largestPack())
        let unread = try await repair(.snapshots(readsData: false)).plan(in: repository.context)
        #expect(unread.snapshots?.intact == 1)
        let read = try await repair(.snapshots(readsData: true)).plan(in: repository.context)
        #expect(read.snapshots?.repaired.count == 1)
    }

    @Test func `an intact repository is left as it is`() async throws {
        let before = try [repository.names(.index), repository.names(.snapshots), repository.names(.data)]
        _ = try await repair(.index(readsAllPacks: true)).run(in: repository.context)
        let report = try await repair(.snapshots(readsData: true)).run(in: repository.context)
        #expect(report.snapshots?.intact == 1 && report.snapshots?.repaired.isEmpty == true)
        #expect(
            try [repository.names(.index), repository.names(.snapshots), repository.names(.data)] == before)
    }
}
