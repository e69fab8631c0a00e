import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// Unpacks entries on all cores, while the calling thread gets their bytes in order.
final class ContentsReader {
    private enum Active {
        case none
        case stored(number: Int, offset: Int64)
        case stretches(number: Int, DeflateStretches)
        case serial(number: Int, SerialInflation, SerialQueue, jobs: Int)

        var number: Int? {
            switch self {
            case .none: nil
            case .stored(let number, _), .stretches(let number, _), .serial(let number, _, _, _): number
            }
        }
    }

    private struct Current {
        let number: Int
        var checksum = Checksum()
        /// Ended, damaged or not wanted: what still comes of it is dropped.
        var isOver = false
    }

    private let entries: [ZipEntry]
    private let archive: any ByteSource
    private var free: [UnpackingSlot]
    private var inFlight: [UnpackingSlot] = []
    private var next = 0
    private var active = Active.none
    /// Of entries whose stretches are on their way.
    private var joins: [Int: StretchJoin] = [:]
    /// The rest of the active entry goes in order, once its stretches have come.
    private var isSerialNext = false
    private var current: Current?

    /// Each takes 3 MiB.
    private static let mostSlots = 10
    private static let mostInGroup = 64

    /// - Parameter entries: files, in the order in which they shall come.
    init(
        _ entries: [ZipEntry], _ archive: any ByteSource, workers: Int = ParallelBatches.workers
    ) throws(ZipError) {
        self.entries = entries
        self.archive = archive
        free = []
        let total = entries.reduce(Int64(0)) { $0 &+ $1.size }
        let useful = total < 0 ? .max : total / Int64(UnpackingSlot.capacity) + 1
        for _ in 0..<min(workers + 2, Self.mostSlots, Int(clamping: useful)) {
            free.append(try UnpackingSlot(archive))
        }
    }

    deinit {
        // Nothing is left running.
        for slot in inFlight { try? slot.wait() }
    }

    /// - Throws: errors of the source and of the closures; ``ZipError`` without memory.
    func run(
        begin: (ZipEntry) throws -> Bool,
        consume: (UnsafeRawBufferPointer) throws -> Void,
        end: (ZipEntry, ZipError?) throws -> Void
    ) throws {
        while true {
            while let slot = free.last, try feed(slot) {
                inFlight.append(free.removeLast())
            }
            guard let slot = inFlight.first else { return }
            inFlight.removeFirst()
            try slot.wait()
            for part in slot.parts { try unsafe deliver(part, slot, begin, consume, end) }
            free.append(slot)
        }
    }

    // MARK: What comes

    private func deliver(
        _ part: UnpackedPart, _ slot: UnpackingSlot, _ begin: (ZipEntry) throws -> Bool,
        _ consume: (UnsafeRawBufferPointer) throws -> Void, _ end: (ZipEntry, ZipError?) throws -> Void
    ) throws {
        let entry = entries[part.entry]
        if current?.number != part.entry {
            current = Current(number: part.entry)
            if !(try begin(entry)) { finish(part.entry) }
        }
        guard current?.isOver == false else { return }
        var error = part.error
        if error == nil {
            error = try unsafe take(part, slot, entry, consume)
        }
        if error == nil, part.isLast {
            do throws(ZipError) { try entry.require(current?.checksum ?? Checksum()) } catch let found {
                error = found
            }
        }
        if error != nil || part.isLast {
            finish(part.entry)
            try end(entry, error)
        }
    }

    /// - Returns: damage that only shows here.
    private func take(
        _ part: UnpackedPart, _ slot: UnpackingSlot, _ entry: ZipEntry,
        _ consume: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> ZipError? {
        func emit(_ bytes: UnsafeRawBufferPointer, _ checksum: Checksum) throws {
            current?.checksum.append(checksum)
            do { try unsafe consume(bytes) } catch { throw ConsumerError(cause: error) }
        }
        do {
            if case .stretch(let count, let position) = slot.job {
                try unsafe joins[part.entry]?.take(part, slot, count: count, at: position, emit)
                adapt(to: part, isHopeless: joins[part.entry]?.isHopeless == true)
            } else if let range = part.range {
                try unsafe emit(UnsafeRawBufferPointer(rebasing: slot.output[range]), part.checksum)
            }
            return nil
        } catch let error as ConsumerError {
            throw error.cause
        } catch let error as ZipError where error.code == .damaged {
            return error
        }
    }

    /// The consumer's own failure, which is not to be taken for damage of the entry.
    private struct ConsumerError: Error {
        let cause: any Error
    }

    private func adapt(to part: UnpackedPart, isHopeless: Bool) {
        guard case .stretches(let number, var stretches) = active, number == part.entry else { return }
        if let range = part.range { stretches.adapt(to: range.count) } else { stretches.makeSmaller() }
        active = .stretches(number: number, stretches)
        if isHopeless { isSerialNext = true }
    }

    private func finish(_ number: Int) {
        current?.isOver = true
        joins[number] = nil
        if active.number == number {
            active = .none
            isSerialNext = false
        }
    }

    // MARK: What is begun

    /// Gives the slot the next piece of work; false when there is none now.
    private func feed(_ slot: UnpackingSlot) throws -> Bool {
        switch active {
        case .none: return try feedEntries(slot)
        case .stored(let number, let offset):
            let entry = entries[number]
            let end = min(offset + Int64(UnpackingSlot.capacity), entry.size)
            slot.start(.stored(entry, offset..<end), of: number, isLast: end == entry.size)
            active = end == entry.size ? .none : .stored(number: number, offset: end)
            return true
        case .stretches(let number, let stretches): return try feedStretch(slot, number, stretches)
        case .serial(let number, let run, let queue, let jobs):
            slot.start(.serial(run), of: number, isLast: jobs == 1, on: queue)
            active = jobs == 1 ? .none : .serial(number: number, run, queue, jobs: jobs - 1)
            return true
        }
    }

    private func feedEntries(_ slot: UnpackingSlot) throws -> Bool {
        var group: [(number: Int, ZipEntry)] = []
        var available = Int64(UnpackingSlot.capacity)
        while next < entries.count, group.count < Self.mostInGroup, entries[next].size <= available {
            available -= entries[next].size
            group.append((next, entries[next]))
            next += 1
        }
        if !group.isEmpty {
            slot.start(.entries(group), of: group[0].number, isLast: true)
            return true
        }
        guard next < entries.count else { return false }
        let number = next
        next += 1
        if entries[number].method == .stored {
            active = .stored(number: number, offset: 0)
            return try feed(slot)
        }
        do {
            let packed = try entries[number].packedBytes(in: archive)
            joins[number] = StretchJoin(entries[number])
            active = .stretches(number: number, DeflateStretches(packed))
        } catch let error as ZipError where error.code == .damaged {
            // Told in its turn.
            slot.start(.damaged(error), of: number, isLast: true)
            return true
        }
        return try feed(slot)
    }

    private func feedStretch(
        _ slot: UnpackingSlot, _ number: Int, _ stretches: DeflateStretches
    ) throws -> Bool {
        if !isSerialNext {
            var stretches = stretches
            let position = stretches.position
            if let (count, isLast) = try unsafe stretches.next(into: slot.input) {
                slot.start(.stretch(count: count, at: position), of: number, isLast: isLast)
                active = isLast ? .none : .stretches(number: number, stretches)
                return true
            }
            isSerialNext = true
        }
        let isCut = inFlight.contains { slot in
            if case .stretch = slot.job { slot.entry == number } else { false }
        }
        guard !isCut, let join = joins[number] else { return false }
        isSerialNext = false
        let entry = entries[number]
        let run = SerialInflation(
            entry, stretches.packed, from: try join.resumed(at: stretches.position), done: join.done)
        let left = entry.size - join.done
        let jobs = max(1, Int((left + Int64(UnpackingSlot.capacity) - 1) / Int64(UnpackingSlot.capacity)))
        active = .serial(number: number, run, SerialQueue(), jobs: jobs)
        return try feed(slot)
    }
}
