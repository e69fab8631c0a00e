import SystemPackage
import ValiseArchives
import ValiseFiles

/// What is free on the disk, against what is promised of it. Only bytes that exist count: what a header claims of
/// an entry's size may be anything.
struct SalvageSpace {
    /// In bytes, when the salvage began.
    let free: Int64
    /// What the new archive and the unpacked databases take, in bytes.
    private(set) var needed: Int64 = 65_536

    /// A damaged database, its fresh successor, a copy of that while it is made, and its place in the new archive.
    private static let copies: Int64 = 4

    init(free: Int64, _ intact: [SalvagedEntries.Chosen]) {
        self.free = free
        for chosen in intact { needed += Int64(chosen.entry.data.count + 400 + 2 * chosen.name.utf8.count) }
    }

    var isEnough: Bool { needed <= free }

    /// How large another damaged database may be, unpacked.
    var databaseSpace: Int64 { max(0, (free - needed) / Self.copies) }

    mutating func take(packed size: Int64) { needed += size + 500 }

    /// - Parameter size: of a damaged database; at most the space there was.
    mutating func take(database size: Int64) { needed += Self.copies * size }
}
