import FaultInjection
import TestPeers
import Testing
import ValiseRepository
import ValiseStorage

@testable import Valise

/// Snapshots are removed by rules and by names, after consent.
struct ForgetSnapshotsTests {
    private func operation(
        _ repository: MaintainedRepository, day: Int64 = 10,
        _ change: (inout ForgetSnapshots) -> Void
    ) -> ForgetSnapshots {
        var operation = ForgetSnapshots(repository.input)
        let time = MaintainedRepository.beginning + day * MaintainedRepository.day
        operation.clock = { time }
        change(&operation)
        return operation
    }

    @Test func `rules keep what they say, and the plan says why`() async throws {
        let repository = try MaintainedRepository()
        var ids: [ContentID] = []
        for day in 0..<Int64(4) { ids.append(try repository.backUp(day: day)) }
        let forget = operation(repository) { $0.rules.last = 2 }
        let plan = try await forget.plan(in: repository.context)
        #expect(plan.groups.count == 1 && plan.removedCount == 2 && plan.prune == nil)
        #expect(plan.groups[0].kept.map(\.snapshot) == [ids[3].text, ids[2].text])
        #expect(plan.groups[0].kept.allSatisfy { $0.reasons == ["last"] })
        #expect(try repository.names(.snapshots).count == 4)
        let report = try await forget.run(in: repository.context)
        #expect(Set(report.removed) == [ids[0].text, ids[1].text] && report.failed.isEmpty)
        #expect(try repository.names(.snapshots) == [ids[2], ids[3]])
        #expect(try repository.memory()?.snapshots.contains(ids[0].text) != true)
        #expect(try await forget.run(in: repository.context).removed.isEmpty)
    }

    @Test(arguments: [false, nil] as [Bool?])
    func `nothing is removed without consent`(answer: Bool?) async throws {
        let repository = try MaintainedRepository(answering: answer)
        for day in 0..<Int64(2) { try repository.backUp(day: day) }
        let forget = operation(repository) { $0.rules.last = 1 }
        let error = await #expect(throws: OperationError.self) {
            try await forget.run(in: repository.context)
        }
        #expect(error?.need == .agreement)
        #expect(try repository.names(.snapshots).count == 2 && repository.names(.locks).isEmpty)
    }

    @Test func `the last snapshot of an account goes only where that is said`() async throws {
        let repository = try MaintainedRepository()
        let id = try repository.backUp()
        var forget = operation(repository) { $0.named = ["latest"] }
        let refusing = forget
        let error = await #expect(throws: OperationError.self) {
            try await refusing.run(in: repository.context)
        }
        #expect(error?.need == .lastSnapshot && error?.subject == repository.account.directory.string)
        #expect(try repository.names(.snapshots) == [id])
        forget.allowsNone = true
        #expect(try await forget.run(in: repository.context).removed == [id.text])
        #expect(try repository.names(.snapshots).isEmpty)
    }

    @Test func `machines are counted for themselves, and chosen by their names`() async throws {
        let repository = try MaintainedRepository()
        for day in 0..<Int64(2) {
            try repository.backUp(day: day, host: "desk")
            try repository.backUp(day: day, host: "lap")
        }
        let plan = try await operation(repository) { $0.rules.last = 1 }.plan(in: repository.context)
        #expect(plan.groups.map(\.hostname) == ["desk", "lap"] && plan.removedCount == 2)
        let one = try await operation(repository) {
            $0.rules.last = 1
            $0.hosts = ["lap"]
        }.plan(in: repository.context)
        #expect(one.groups.map(\.hostname) == ["lap"] && one.removedCount == 1)
    }

    @Test func `snapshots of the future and incomplete ones take no place of others`() async throws {
        let repository = try MaintainedRepository()
        let first = try repository.backUp()
        try repository.backUp(day: 1, tags: ["partial"])
        try repository.backUp(day: 400)
        let plan = try await operation(repository) { $0.rules.last = 1 }.plan(in: repository.context)
        let kept = plan.groups[0].kept
        #expect(kept.count == 3 && plan.isEmpty)
        #expect(kept.first { $0.snapshot == first.text }?.reasons == ["last"])
        #expect(kept.contains { $0.reasons == ["dated in the future"] })
    }

    @Test func `snapshots of this very second, or of a clock that is a little ahead, are as all others`()
        async throws
    {
        for seconds in [0, -60] as [Int64] {
            let repository = try MaintainedRepository()
            let ids = try (1...5).map { try repository.backUp(nanoseconds: $0 * 1_000_000) }
            var forget = operation(repository) { $0.rules.last = 2 }
            let time = MaintainedRepository.beginning + seconds
            forget.clock = { time }
            let kept = try await forget.plan(in: repository.context).groups[0].kept
            #expect(kept.map(\.snapshot) == [ids[4].text, ids[3].text])
            #expect(kept.allSatisfy { $0.reasons == ["last"] })
        }
    }

    @Test func `rules and names exclude each other, and one is needed`() async throws {
        let repository = try MaintainedRepository()
        try repository.backUp()
        for change: (inout ForgetSnapshots) -> Void in [
            { _ in },
            {
                $0.named = ["latest"]
                $0.rules.last = 1
            },
        ] {
            let forget = operation(repository, change)
            let error = await #expect(throws: OperationError.self) {
                try await forget.plan(in: repository.context)
            }
            #expect(error?.code == .invalid)
        }
    }

    @Test func `with a prune, data goes that no snapshot uses, and the rest can be read`() async throws {
        let repository = try MaintainedRepository()
        try repository.backUp(media: MaintainedRepository.noise(3_000_000, seed: 1))
        try FileSystem().remove(repository.account.filesFolder.appending("file0"))
        try repository.backUp(day: 1)
        let before = try repository.store.list(.data).reduce(0) { $0 + $1.size }
        let forget = operation(repository) {
            $0.rules.last = 1
            $0.prune = PruneLimits()
            $0.prune?.unused = .bytes(0)
        }
        let plan = try await forget.plan(in: repository.context)
        #expect((plan.prune?.freed ?? 0) > 2_000_000)
        let report = try await forget.run(in: repository.context)
        #expect(report.removed.count == 1 && (report.pruned?.removedPacks ?? 0) > 0)
        let after = try repository.store.list(.data).reduce(0) { $0 + $1.size }
        #expect(before - after > 2_000_000)
        var verify = VerifyRepository(repository.input)
        verify.reading = .all
        #expect(try await verify.run(in: repository.context).isIntact)
        try ResticCheck.run(repository)
    }
}

/// What restic says of a repository, where it is installed.
enum ResticCheck {
    static func run(_ repository: MaintainedRepository) throws {
        guard let restic = OtherProgram("restic") else { return }
        let password = repository.folder.appending("password")
        try FileSystem().replace(password, with: Array(MaintainedRepository.password.utf8))
        let (status, output) = try restic.run(
            [
                "-r", repository.folder.appending("repository").string, "-p", password.string, "--no-cache",
                "check", "--read-data",
            ])
        #expect(status == 0 && output.contains("no errors were found"), "\(output)")
    }
}
