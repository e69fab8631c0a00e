import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseRepository

/// Checks a repository: whether everything is there that its snapshots need, and, if asked for, whether the data is what it was.
/// Nothing of it is changed; that it was checked is remembered.
package struct VerifyRepository: Operation {
    /// How much of the data is read.
    package enum Reading: Sendable, Equatable {
        case none
        case all
        /// Part `number`, from 1, of `count` parts.
        case part(Int, of: Int)
        /// So many of a hundred packs, by chance.
        case percent(Double)
        /// About so many bytes, by chance.
        case bytes(Int64)
        /// A part a day, so that all is read in so many days.
        case inDays(Int)
    }

    package var repository: RepositoryInput
    package var reading = Reading.none
    /// The time of day, in seconds since 1970.
    var clock = UTCTime.clock

    package init(_ repository: RepositoryInput) { self.repository = repository }

    package func run(in context: OperationContext) async throws -> VerifiedRepository {
        if case .inDays(let days) = reading, !(1...ReadShare.mostParts).contains(days) {
            throw OperationError(.invalid, "data is read in 1 to \(ReadShare.mostParts) days")
        }
        return try await repository.locked(loadsIndex: false, in: context) { opened, progress in
            let id = opened.repository.config.id
            let memories = RepositoryMemories(context.folders)
            let now = clock()
            let work = work(try memories.memory(of: id), now)
            let beginning = ContinuousClock.now
            let report = try RepositoryCheck(opened.repository, reading: work.share).run {
                try opened.tell($0, $1, $2, progress)
            }
            var verified = VerifiedRepository(repository.place, id, report, work)
            verified.seconds = (ContinuousClock.now - beginning) / .seconds(1)
            try memories.update(id, at: repository.place) { memory in
                work.remember(isIntact: report.isIntact, at: now, in: &memory)
                verified.lastCompleteReading = memory.lastCompleteReading
            }
            return verified
        }
    }

    private func work(_ memory: RepositoryMemory?, _ now: Int64) -> VerificationWork {
        switch reading {
        case .none: VerificationWork(share: .none, extent: nil)
        case .all: VerificationWork(share: .all, extent: "all")
        case .part(let number, let count):
            VerificationWork(share: .part(number, of: count), extent: "\(number)/\(count)")
        case .percent(let percent): VerificationWork(share: .percent(percent), extent: "\(percent)%")
        case .bytes(let bytes):
            VerificationWork(share: .bytes(bytes), extent: Count.bytes(bytes))
        case .inDays(let days): VerificationWork(ReadingSchedule(days: days, memory, now: now))
        }
    }
}

/// What a verification reads.
struct VerificationWork: Sendable {
    let share: ReadShare
    /// Such as `all` or `1/7`; nil for no data.
    let extent: String?
    /// The parts that are read on schedule, and of how many; nil without one.
    private(set) var schedule: ReadingSchedule?

    init(share: ReadShare, extent: String?) {
        self.share = share
        self.extent = extent
    }

    init(_ schedule: ReadingSchedule) {
        let numbers = schedule.due.sorted().map(String.init).joined(separator: ",")
        self.init(
            share: schedule.share, extent: schedule.due.isEmpty ? nil : "\(numbers)/\(schedule.count)")
        self.schedule = schedule
    }

    /// Writes down that it was done. What was damaged when data was read is not taken for good because nobody looked at the data
    /// again.
    func remember(isIntact: Bool, at time: Int64, in memory: inout RepositoryMemory) {
        let isSuperseded = extent != nil || memory.lastVerification?.extent == nil
        if !isIntact || isSuperseded || memory.lastVerification?.hasSucceeded == true {
            memory.lastVerification = RepositoryMemory.Event(
                time: time, hasSucceeded: isIntact, extent: extent)
        }
        guard isIntact else { return }
        if let schedule {
            memory.read(schedule.due, of: schedule.count, at: time)
        } else if case .all = share {
            memory.readAll(at: time)
        }
    }
}
