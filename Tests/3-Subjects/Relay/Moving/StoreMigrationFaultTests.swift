import FaultInjection
import SystemPackage
import Testing
import ValiseFiles
import ValiseXFTPWire

@testable import ValiseRelay

/// Migrations that are killed at each of their operations on files.
struct StoreMigrationFaultTests {
    enum Fault: CaseIterable, Sendable {
        case crash, tornWrite, inputOutput, noSpace, powerCut

        var plan: FaultPlan.Fault {
            switch self {
            case .crash: .crash
            case .tornWrite: .tornWrite
            case .inputOutput: .fail(.ioError)
            case .noSpace: .fail(.noSpace)
            case .powerCut: .none
            }
        }
    }

    /// A store in a folder, as a migration opens it that makes it.
    private static func open(_ fixture: StoreFixture, _ fileSystem: FileSystem = FileSystem()) throws
        -> MovingStore
    {
        let store = try fixture.open(fileSystem)
        return MovingStore(store.records, store.bytes)
    }

    @Test(arguments: Fault.allCases)
    func `a migration into a folder that is killed anywhere goes on and is complete`(fault: Fault) throws {
        let source = try StoreFixture()
        let store = try source.open()
        for number in 0..<8 {
            let chunk = try store.send(number, recipients: number % 3 + 1)
            if number % 4 == 0 { try store.acknowledge(chunk.recipients[0]) }
        }
        _ = try store.announce(20)
        try store.block(try store.send(21).recipients[0], BlockingInfo(.spam))
        let before = try TemporaryFolder.contents(of: source.folder.path)
        let from = MovingStore(
            try EmbeddedSnapshot(try #require(source.settings.log)), ChunkFolder(source.settings.folder))
        let step = FaultSweep.step(2)
        var number = FaultSweep.first(step: 2)
        while true {
            let target = try StoreFixture()
            // It makes the folders, which a power cut has to know.
            try Self.open(target).records.close()
            let wasReached: Bool
            if fault == .powerCut {
                let cut = try PowerCut(
                    [target.folder.path, target.settings.folder, target.folder.appending("log")], at: number)
                Self.attempt(from, target, FileSystem(interposer: cut))
                wasReached = cut.wasReached
                try cut.leaveWhatIsDurable()
            } else {
                let plan = FaultPlan(fault.plan, at: number)
                Self.attempt(from, target, FileSystem(interposer: plan))
                wasReached = plan.wasReached
            }
            let to = try Self.open(target)
            let report = try StoreMigration(from, to).run()
            #expect(report.isComplete == true, "\(fault) at \(number): \(report)")
            try from.expectCopy(to, "\(fault) at \(number)")
            try to.records.close()
            let again = try target.open()
            #expect(again.startReport.missingBodies == 0 && again.startReport.badLineCount == 0)
            try from.expectCopy(
                MovingStore(again.records, again.bytes), "\(fault) at \(number), opened again")
            if !wasReached { break }
            number += step
        }
        #expect(number > 50)
        #expect(try TemporaryFolder.contents(of: source.folder.path) == before, "the source was changed")
        try store.close()
    }

    private static func attempt(_ from: MovingStore, _ target: StoreFixture, _ fileSystem: FileSystem) {
        guard let to = try? open(target, fileSystem) else { return }
        _ = try? StoreMigration(from, to).run()
        try? to.records.close()
    }

    /// The bodies belong to the source, which goes on with them if the migration is given up.
    @Test(arguments: [Fault.crash, .tornWrite])
    func `records that move and are killed anywhere leave the bodies alone`(fault: Fault) throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        for number in 0..<6 { _ = try store.send(number) }
        let from = MovingStore(store.records, store.bytes)
        let bodies = try TemporaryFolder.contents(of: fixture.settings.folder)
        let step = FaultSweep.step(2)
        var number = FaultSweep.first(step: 2)
        while true {
            let target = try TemporaryFolder("valise-moving", inMemory: true)
            var settings = StoreFixture.settings(in: target.path, clock: fixture.clock)
            settings.folder = fixture.settings.folder
            let staying = StayingBytes(store.bytes)
            func open(_ fileSystem: FileSystem = FileSystem()) throws -> MovingStore {
                MovingStore(
                    try EmbeddedRecords(settings, staying, locks: [], fileSystem: fileSystem), staying)
            }
            let plan = FaultPlan(fault.plan, at: number)
            if let to = try? open(FileSystem(interposer: plan)) {
                _ = try? StoreMigration(from, to, scope: .records).run()
            }
            #expect(try TemporaryFolder.contents(of: fixture.settings.folder) == bodies)
            let to = try open()
            let report = try StoreMigration(from, to, scope: .records).run()
            #expect(report.isComplete == true && report.movedBytes == 0, "\(fault) at \(number): \(report)")
            try from.expectCopy(to, sameNames: true, "\(fault) at \(number)")
            try to.records.close()
            // Now they are its own.
            let last = try EmbeddedRecords(settings, ChunkFolder(settings.folder), locks: [])
            try from.expectCopy(
                MovingStore(last, store.bytes), sameNames: true, "\(fault) at \(number), last")
            #expect(last.startReport.removedBodies == 0 && last.startReport.missingBodies == 0)
            #expect(try TemporaryFolder.contents(of: fixture.settings.folder) == bodies)
            try last.close()
            if !plan.wasReached { break }
            number += step
        }
        #expect(number > 20)
        try store.close()
    }
}
