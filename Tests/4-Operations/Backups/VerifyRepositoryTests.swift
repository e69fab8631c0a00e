import FaultInjection
import Testing
import ValiseRepository
import ValiseStorage

@testable import Valise

/// A repository is checked, and that is written down.
struct VerifyRepositoryTests {
    private let repository: MaintainedRepository
    private let snapshot: ContentID

    init() throws {
        repository = try MaintainedRepository()
        snapshot = try repository.backUp()
    }

    private func verify(
        _ reading: VerifyRepository.Reading, day: Int64 = 0, hours: Int64 = 0
    ) async throws -> VerifiedRepository {
        var operation = VerifyRepository(repository.input)
        operation.reading = reading
        let time = MaintainedRepository.beginning + day * MaintainedRepository.day + hours * 3600
        operation.clock = { time }
        return try await operation.run(in: repository.context)
    }

    @Test func `an intact repository is said to be one, and when it was read is remembered`() async throws {
        let structure = try await verify(.none)
        #expect(structure.isIntact && structure.snapshots == 1 && structure.readPacks == 0)
        #expect(try repository.memory()?.lastVerification?.extent == nil)
        let report = try await verify(.all, day: 1)
        #expect(report.isIntact && report.readPacks == report.packs && report.packs > 0)
        let memory = try #require(try repository.memory())
        #expect(memory.lastVerification?.hasSucceeded == true && memory.lastVerification?.extent == "all")
        #expect(memory.lastCompleteReading == MaintainedRepository.beginning + MaintainedRepository.day)
        #expect(try repository.names(.locks).isEmpty)
    }

    @Test func `a flipped bit is found with its file, and is not forgotten without the data`() async throws {
        let pack = try repository.largestPack()
        try repository.flip(pack)
        #expect(try await verify(.none).isIntact)
        let report = try await verify(.all, day: 1)
        #expect(!report.isIntact)
        #expect(report.errors.contains { $0.file == "\(StoredName.file(.data, pack))" })
        #expect(report.losses.map(\.snapshot) == [snapshot.text])
        #expect(try repository.memory()?.lastCompleteReading == nil)
        // Nobody looked at the data again.
        #expect(try await verify(.none, day: 2).isIntact)
        let event = try #require(try repository.memory()?.lastVerification)
        #expect(!event.hasSucceeded && event.extent == "all")
    }

    @Test func `each flipped pack is named`() async throws {
        let packs = try repository.names(.data)
        for pack in packs { try repository.flip(pack) }
        let report = try await verify(.all)
        let named = Set(report.errors.compactMap(\.file))
        #expect(packs.allSatisfy { named.contains("\(StoredName.file(.data, $0))") })
    }

    @Test func `a missing pack is found without reading data, and the snapshot that lacks something`()
        async throws
    {
        let pack = try repository.largestPack()
        try FileSystem().remove(repository.path(ofPack: pack))
        let report = try await verify(.none)
        #expect(!report.isIntact && report.isIndexWrong && report.losses.map(\.snapshot) == [snapshot.text])
        #expect(report.errors.contains { $0.kind == "missing-pack" })
    }

    @Test func `a part a day reads all in so many days`() async throws {
        let packs = try repository.names(.data).count
        var read = 0
        for day in 0..<Int64(3) {
            let report = try await verify(.inDays(3), day: day)
            #expect(report.extent == "\(day + 1)/3" && !report.isReadToday)
            read += report.readPacks
            let again = try await verify(.inDays(3), day: day, hours: 3)
            #expect(again.isReadToday && again.extent == nil && again.readPacks == 0)
        }
        #expect(read == packs)
        let memory = try #require(try repository.memory())
        #expect(memory.lastCompleteReading == MaintainedRepository.beginning + 2 * MaintainedRepository.day)
        #expect(memory.partsRead.isEmpty)
        #expect(try await verify(.inDays(3), day: 3).extent == "1/3")
    }

    @Test func `what days missed is made up for`() async throws {
        _ = try await verify(.inDays(4))
        #expect(try await verify(.inDays(4), day: 2).extent == "2,3/4")
        #expect(try await verify(.inDays(4), day: 9).extent == "4/4")
    }

    @Test func `a part with damage is read again until it is intact`() async throws {
        let pack = try repository.largestPack()
        let path = repository.path(ofPack: pack)
        let bytes = try FileSystem().contents(of: path, limit: 1 << 28)
        try repository.flip(pack)
        for hours in 0..<Int64(2) {
            let report = try await verify(.inDays(1), hours: hours)
            #expect(!report.isIntact && report.extent == "1/1")
        }
        #expect(try repository.memory()?.lastCompleteReading == nil)
        try FileSystem().remove(path)
        try FileSystem().replace(path, with: bytes)
        #expect(try await verify(.inDays(1), hours: 3).isIntact)
        #expect(try repository.memory()?.lastVerification?.hasSucceeded == true)
        #expect(try await verify(.inDays(1), hours: 4).isReadToday)
    }

    @Test func `shares that there are not are refused`() async throws {
        await #expect(throws: OperationError.self) { try await verify(.inDays(0)) }
        await #expect(throws: OperationError.self) { try await verify(.inDays(257)) }
        await #expect(throws: RepositoryError.self) { try await verify(.part(3, of: 2)) }
        await #expect(throws: RepositoryError.self) { try await verify(.bytes(0)) }
        #expect(try await verify(.bytes(1)).readPacks == 1)
        #expect(try await verify(.percent(100)).readPacks > 0)
    }

    @Test func `an exclusive lock keeps it out`() async throws {
        let opened = try repository.open()
        let lock = try RepositoryLock.take(opened, isExclusive: true)
        defer { lock.release() }
        let error = await #expect(throws: RepositoryError.self) { try await verify(.none) }
        #expect(error?.code == .inUse)
    }
}
