/// A record that is found by its name.
protocol StoredRecord: Sendable {
    var id: StoredID { get }
    /// What stands in a place that nobody has.
    static var vacant: Self { get }
    var isVacant: Bool { get }
}

/// Records by their names, a million of them in little more than their own bytes.
///
/// Records lie in pages, so that growing copies none; the index holds four bytes for each place and is at most two
/// thirds full.
struct IDTable<Record: StoredRecord>: Sendable {
    typealias Slot = UInt32

    private static var pageSize: Int { 4096 }

    private var pages: [ContiguousArray<Record>] = []
    private var vacancies: [Slot] = []
    /// One more than the slot; zero for none.
    private var index: ContiguousArray<Slot> = .init(repeating: 0, count: 64)
    /// Names may come out of a log that somebody else wrote.
    private let seed = UInt64.random(in: 0 ... .max)

    private(set) var count = 0
    /// One more than the highest slot that was ever used.
    private(set) var end: Slot = 0

    subscript(slot: Slot) -> Record {
        get { pages[Int(slot) / Self.pageSize][Int(slot) % Self.pageSize] }
        _modify { yield &pages[Int(slot) / Self.pageSize][Int(slot) % Self.pageSize] }
    }

    func find(_ id: StoredID) -> Slot? {
        var place = home(id)
        while index[place] != 0 {
            let slot = index[place] - 1
            if self[slot].id == id { return slot }
            place = next(place)
        }
        return nil
    }

    /// - Precondition: no record has this name.
    mutating func insert(_ record: Record) -> Slot {
        if (count + 1) * 3 > index.count * 2 { grow() }
        let slot = takePlace(record)
        enter(slot, record.id)
        count += 1
        return slot
    }

    mutating func remove(_ slot: Slot) {
        var hole = home(self[slot].id)
        while index[hole] != slot + 1 { hole = next(hole) }
        // What lies behind moves up, unless it would come before the place where one looks for it.
        var place = next(hole)
        while index[place] != 0 {
            let wanted = home(self[index[place] - 1].id)
            if distance(from: wanted, to: place) >= distance(from: hole, to: place) {
                index[hole] = index[place]
                hole = place
            }
            place = next(place)
        }
        index[hole] = 0
        self[slot] = .vacant
        vacancies.append(slot)
        count -= 1
    }

    private mutating func takePlace(_ record: Record) -> Slot {
        if let slot = vacancies.popLast() {
            self[slot] = record
            return slot
        }
        if Int(end) % Self.pageSize == 0 {
            var page = ContiguousArray<Record>()
            page.reserveCapacity(Self.pageSize)
            pages.append(page)
        }
        pages[pages.count - 1].append(record)
        end += 1
        return end - 1
    }

    private mutating func grow() {
        let previous = index
        index = .init(repeating: 0, count: previous.count * 2)
        for entry in previous where entry != 0 { enter(entry - 1, self[entry - 1].id) }
    }

    private mutating func enter(_ slot: Slot, _ id: StoredID) {
        var place = home(id)
        while index[place] != 0 { place = next(place) }
        index[place] = slot + 1
    }

    private func home(_ id: StoredID) -> Int {
        var mixed = (id.high ^ seed) &* 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 32) ^ id.low) &* 0xbf58_476d_1ce4_e5b9
        return Int(truncatingIfNeeded: mixed >> 24) & (index.count - 1)
    }

    private func next(_ place: Int) -> Int { (place + 1) & (index.count - 1) }

    private func distance(from: Int, to: Int) -> Int { (to - from) & (index.count - 1) }
}
