import FaultInjection
import Testing
import ValiseBackups
import ValiseRepository
import ValiseStorage

@testable import Valise

/// A drill proves that an account comes back, and leaves nothing but a record.
struct DrillSnapshotTests {
    private let repository: MaintainedRepository
    private let place: FilePath

    init() throws {
        repository = try MaintainedRepository()
        place = repository.folder.appending("drills")
        try FileSystem().makeDirectory(place)
    }

    private func operation(_ key: [UInt8]? = nil, in places: [FilePath]? = nil) throws -> DrillSnapshot {
        var source = PassphraseSource()
        source.usesKeyStores = false
        if let key { source = .secret(SharedSecret(try SecretBytes(copying: key))) }
        var operation = DrillSnapshot(repository.input, passphrase: source)
        operation.places = places ?? [place]
        operation.clock = { MaintainedRepository.beginning + 60 }
        return operation
    }

    private func drill(_ operation: DrillSnapshot) async throws -> SnapshotDrill {
        let report = try await operation.run(in: repository.context)
        #expect(report.drills.count == 1)
        return try #require(report.drills.first)
    }

    private func isEmpty() throws -> Bool { try FileSystem().list(place).isEmpty }

    @Test func `the newest snapshot is restored, checked, and removed`() async throws {
        try repository.backUp()
        let newest = try repository.backUp(day: 1)
        let drill = try await drill(operation())
        #expect(drill.outcome == .passed && drill.method == .restored && drill.snapshot == newest.text)
        #expect(drill.databases.map(\.isIntact) == [true, true] && drill.failure == nil)
        let media = try #require(drill.media)
        #expect(media.checked > 0 && media.problems.isEmpty && media.missing == 1)
        #expect(try isEmpty() && repository.names(.locks).isEmpty)
        let remembered = try #require(try repository.memory()?.accounts.first)
        #expect(remembered.directory == repository.account.directory.string)
        #expect(
            remembered.lastDrill
                == RepositoryMemory.Event(
                    time: MaintainedRepository.beginning + 60, snapshot: newest.text, hasSucceeded: true))
    }

    @Test func `what a killed drill left is removed, and what others have stays`() async throws {
        try repository.backUp()
        let fileSystem = FileSystem()
        let left = place.appending("valise-private-\(ProcessIdentity.user)-left")
        try fileSystem.makeDirectories(left.appending("account.partial"))
        try fileSystem.replace(left.appending("account.partial/simplex_v1_chat.db"), with: [1, 2, 3])
        let used = place.appending("valise-private-\(ProcessIdentity.user)-used")
        try fileSystem.makeDirectory(used)
        let lock = try #require(try DirectoryLock(used, .exclusive))
        let foreign = place.appending("valise-private-\(ProcessIdentity.user &+ 1)-foreign")
        try fileSystem.makeDirectory(foreign)
        _ = try await drill(operation())
        #expect(try !fileSystem.exists(left))
        #expect(try fileSystem.exists(used) && fileSystem.exists(foreign))
        extendLifetime(lock)
    }

    @Test func `without a place for them, databases are read in the repository`() async throws {
        try repository.backUp()
        let drill = try await drill(operation(in: []))
        #expect(drill.outcome == .passed && drill.method == .inPlace)
        #expect(drill.databases.map(\.isIntact) == [true, true])
    }

    @Test func `sealed databases take the passphrase of the account`() async throws {
        try repository.backUp(mode: .sealed)
        #expect(try await drill(operation(MaintainedRepository.key)).outcome == .passed)
        let wrong = try await drill(operation(Array("another one".utf8)))
        #expect(wrong.outcome == .wrongPassphrase)
        #expect(try repository.memory()?.accounts.first?.lastDrill?.hasSucceeded == false)
        let error = await #expect(throws: OperationError.self) {
            try await operation().run(in: repository.context)
        }
        #expect(error?.code == .invalid)
        #expect(try isEmpty())
    }

    @Test func `a flipped bit fails it, and leaves nothing`() async throws {
        try repository.backUp()
        try repository.flip(repository.largestPack())
        for places in [[place], []] {
            var operation = try operation(in: places)
            operation.sample = 10_000
            let drill = try await drill(operation)
            #expect(drill.outcome == .damaged)
            let isNamed = drill.failure != nil || drill.databases.contains { !$0.isIntact }
            #expect(isNamed || drill.media?.problems.isEmpty == false)
        }
        #expect(try isEmpty())
        #expect(try repository.memory()?.accounts.first?.lastDrill?.hasSucceeded == false)
    }

    @Test func `one account or one snapshot is chosen, and what there is not is said`() async throws {
        let first = try repository.backUp()
        try repository.backUp(day: 1)
        var named = try operation()
        named.snapshot = String(first.text.prefix(8))
        #expect(try await drill(named).snapshot == first.text)
        var chosen = try operation()
        chosen.account = repository.account
        _ = try await drill(chosen)
        chosen.account = AccountLocation(directory: repository.folder.appending("other"))
        let other = chosen
        let error = await #expect(throws: RepositoryError.self) {
            try await other.run(in: repository.context)
        }
        #expect(error?.code == .notFound)
    }

    @Test func `an interruption leaves nothing`() async throws {
        try repository.backUp()
        var context = repository.context
        context.checkpoint = {
            if try !FileSystem().list(place).isEmpty { throw Interruption() }
        }
        let stopping = context
        await #expect(throws: Interruption.self) { try await operation().run(in: stopping) }
        #expect(try isEmpty() && repository.names(.locks).isEmpty)
    }
}
