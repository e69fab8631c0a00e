import Synchronization
import SystemPackage
import Testing
import ValiseFiles

/// The free space is looked at while a file grows, and some of it is left.
struct SpaceWatchTests {
    /// A disk that says how much is free, and how often it was asked.
    private final class Disk: FileInterposer {
        let free: Int64
        let questions = Mutex(0)

        init(free: Int64) { self.free = free }

        func verdict(on operation: FileOperation) -> FileOperationVerdict { .proceed }

        func freeSpace(_ space: Int64) -> Int64 {
            questions.withLock { $0 += 1 }
            return free
        }
    }

    private static let least = SpaceWatch.step + SpaceWatch.reserve

    private func makeWatch(_ disk: Disk, isNeededTwice: Bool = false) -> SpaceWatch {
        SpaceWatch(in: "/", isNeededTwice: isNeededTwice, fileSystem: FileSystem(interposer: disk))
    }

    private func shortage(
        _ size: Int64, ofFree free: Int64, isNeededTwice: Bool = false
    ) throws -> SpaceWatch.Shortage? {
        var watch = makeWatch(Disk(free: free), isNeededTwice: isNeededTwice)
        return try watch.shortage(growingTo: size)
    }

    @Test func `a byte less than the next step and what is left to others is a shortage`() throws {
        #expect(try shortage(1, ofFree: Self.least) == nil)
        let short = try shortage(1, ofFree: Self.least - 1)
        #expect(short?.needed == Self.least && short?.free == Self.least - 1)
    }

    @Test func `the disk is asked once for each step, not for each piece`() throws {
        let disk = Disk(free: .max)
        var watch = makeWatch(disk)
        let step = SpaceWatch.step
        let asked: [(size: Int64, questions: Int)] = [
            (1, 1), (2, 1), (1 + step, 1), (2 + step, 2), (3 + step, 2),
        ]
        for (size, questions) in asked {
            let shortage = try watch.shortage(growingTo: size)
            #expect(shortage == nil && disk.questions.withLock { $0 } == questions)
        }
    }

    @Test func `what is unpacked beside the file needs as much once more`() throws {
        let size: Int64 = 100 << 20
        let needed = Self.least + size + SpaceWatch.step
        #expect(try shortage(size, ofFree: needed, isNeededTwice: true) == nil)
        #expect(try shortage(size, ofFree: needed - 1, isNeededTwice: true)?.needed == needed)
    }
}
