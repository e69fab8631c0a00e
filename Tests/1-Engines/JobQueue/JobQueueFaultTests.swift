import FaultInjection
import SystemPackage
import Testing
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseJobQueue
import ValiseSecrets

/// Queues that several processes use, and disks that fail while the files are made.
struct JobQueueFaultTests {
    private let fixture: QueueFixture
    private let files = FileSystem()

    init() throws { fixture = try QueueFixture() }

    // MARK: Sharing

    @Test func `who waits for another process for too long is told so`() throws {
        var fixture = fixture
        fixture.settings.patience = .milliseconds(50)
        let queue = try fixture.open()
        let job = try queue.add("job")
        let found = try Connection(fixture.path, mode: .readWrite, passphrase: fixture.key.bytes.rawKey())
            .transaction { failure { _ = try queue.add("other") } }
        #expect(found?.kind == .busy && found?.code == .inUse)
        // Looking does not wait.
        #expect(try queue.jobs() == [job])
        _ = try queue.add("other")
    }

    @Test func `several connections take every job once`() async throws {
        let fixture = fixture
        let first = try fixture.open()
        for number in 0..<200 { _ = try first.add("\(number)") }
        let taken = try await withThrowingTaskGroup(of: [JobID].self) { group in
            for process in 1...4 as ClosedRange<Int32> {
                group.addTask {
                    let queue = try fixture.open(process)
                    var taken: [JobID] = []
                    while let lease = try queue.take() {
                        taken.append(lease.id)
                        try queue.finish(lease)
                    }
                    return taken
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(taken.count == 200 && Set(taken).count == 200)
        #expect(try first.counts().byState == [.finished: 200])
    }

    // MARK: Faults

    @Test(arguments: [Errno.noSpace, .ioError])
    func `a failure while the files are made is told, and the next opening makes them`(errno: Errno) throws {
        try sweep { .init(.fail(errno), at: $0) }
    }

    @Test func `killed while the files are made, the next opening makes them`() throws {
        try sweep { .init(.crash, at: $0) }
        try sweep { .init(.tornWrite, at: $0) }
    }

    private func sweep(_ plan: (Int) -> FaultPlan) throws {
        for position in 1... {
            let folder = fixture.folder.appending("sweep \(position) \(UInt32.random(in: 0 ... .max))")
                .appending("jobs")
            let faults = plan(position)
            let found = failure {
                _ = try JobQueue(inFolder: folder, fileSystem: FileSystem(interposer: faults))
            }
            guard faults.wasReached else {
                #expect(found == nil && position > 6)
                return
            }
            #expect(found != nil, "operation \(position)")
            let queue = try JobQueue(inFolder: folder)
            #expect(try queue.add("job").id.rawValue == 1)
            #expect(try JobQueue(inFolder: folder).counts()[.waiting] == 1)
            #expect(try files.mode(folder.appending("queue.db")) == .ownerReadWrite)
            #expect(try files.contents(of: folder.appending("key"), limit: 100).count == 32)
        }
    }
}
