import ValiseAccounts
import ValiseArchives
import ValiseFailures

/// Which of the entries that were found go into the new archive.
struct SalvagedEntries {
    /// An entry with the name under which it goes into the new archive.
    struct Chosen {
        let name: String
        let role: ArchiveLayout.Role
        let entry: ZipScannedEntry
    }

    private let lastDirectory: Int?
    /// Whole ones, in the order of the new archive.
    private(set) var whole: [Chosen] = []
    /// The same, for the report.
    var kept: [ArchiveSalvageReport.Entry] { whole.map { .init(name: $0.name, size: $0.entry.size ?? 0) } }
    /// Of each database without a whole entry, the damaged one that counts.
    private(set) var damaged: [AccountDatabase: Damaged] = [:]

    /// An entry with what is wrong with it.
    struct Damaged {
        let entry: ZipScannedEntry
        let reason: String
        /// Whether it is less than the damaged archive had, though its checksum in the private copy holds.
        var isCut = false

        /// Whether its checksum proves that it is what was packed.
        var isProven: Bool { entry.state == .whole && !isCut }
    }

    /// - Parameter limits: of the import that shall take the new archive.
    init(_ scan: ZipScan, _ limits: ZipLimits, _ report: inout ArchiveSalvageReport) {
        lastDirectory = scan.lastDirectory
        var groups: [[UInt8]: [Chosen]] = [:]
        var order: [[UInt8]] = []
        for entry in scan.entries where !entry.isFolder {
            guard let chosen = Self.named(entry, &report) else { continue }
            if entry.state == .whole, let size = entry.size,
                limits.isExceeded(by: size, compressedSize: Int64(entry.data.count))
            {
                report.lost.append(
                    Self.lost(
                        entry,
                        Remark(
                            "expands more than \(limits.ratio) times, like a zip bomb; no import accepts it",
                            remedy: .raiseGrowthLimitToKeep)))
                continue
            }
            if groups[entry.rawName] == nil { order.append(entry.rawName) }
            groups[entry.rawName, default: []].append(chosen)
        }
        for name in order { choose(groups[name, default: []], &report) }
        whole.sort { Self.rank($0) < Self.rank($1) }
        dropTwins(&report)
    }

    /// The entry, if it is one that belongs to an account.
    private static func named(
        _ entry: ZipScannedEntry, _ report: inout ArchiveSalvageReport
    ) -> Chosen? {
        if case .inside(let outer) = entry.state {
            report.inside.append(.init(name: entry.shownName, offset: entry.headerOffset, inside: outer))
            return nil
        }
        do throws(ZipError) {
            let name = try ZipName.check(entry.rawName)
            let role = ArchiveLayout.role(of: name)
            guard role != .other else {
                report.others.append(name)
                return nil
            }
            return Chosen(name: name, role: role, entry: entry)
        } catch {
            report.lost.append(Self.lost(entry, Remark(error)))
            return nil
        }
    }

    /// The one that the last directory names if it is whole, else the last whole one.
    private mutating func choose(_ candidates: [Chosen], _ report: inout ArchiveSalvageReport) {
        var whole = candidates.filter { $0.entry.state == .whole }
        if whole.contains(where: Self.canBeDatabase) { whole.removeAll { !Self.canBeDatabase($0) } }
        guard let winner = whole.last(where: { isNamedLast($0.entry) }) ?? whole.last else {
            return chooseDamaged(candidates, &report)
        }
        self.whole.append(winner)
        for other in candidates where other.entry.headerOffset != winner.entry.headerOffset {
            let isSame =
                other.entry.checksum == winner.entry.checksum && other.entry.size == winner.entry.size
            if other.entry.state == .whole {
                if isSame {
                    report.duplicates += 1
                } else {
                    report.superseded.append(passed(other.entry))
                }
            } else if isSame {
                // The directory says another place for it.
                continue
            } else if isNamedLast(winner.entry)
                || other.entry.headerOffset < winner.entry.headerOffset && !isNamedLast(other.entry)
            {
                report.superseded.append(passed(other.entry))
            } else {
                report.lost.append(Self.lost(other.entry, olderIsKept: true))
            }
        }
    }

    /// By its name and size: another entry of a database's name must not take its place.
    private static func canBeDatabase(_ chosen: Chosen) -> Bool {
        guard case .database = chosen.role, let size = chosen.entry.size else { return false }
        return size > 0 && size % 512 == 0
    }

    private mutating func chooseDamaged(_ candidates: [Chosen], _ report: inout ArchiveSalvageReport) {
        let chosen = candidates.last { isNamedLast($0.entry) && !$0.entry.data.isEmpty } ?? candidates.last
        for candidate in candidates {
            if case .database(let database) = candidate.role,
                candidate.entry.headerOffset == chosen?.entry.headerOffset
            {
                damaged[database] = Damaged(
                    entry: candidate.entry, reason: Self.reason(candidate.entry))
            } else {
                report.lost.append(Self.lost(candidate.entry))
            }
        }
    }

    /// The database whose checksum holds.
    func whole(_ database: AccountDatabase) -> ZipScannedEntry? {
        whole.first { $0.role == .database(database) }?.entry
    }

    /// Moves a database whose checksum holds, and that is damaged inside or cut, to the damaged ones.
    mutating func condemn(_ database: AccountDatabase, because reason: String, isCut: Bool = false) {
        guard let entry = whole(database) else { return }
        whole.removeAll { $0.role == .database(database) }
        damaged[database] = Damaged(entry: entry, reason: reason, isCut: isCut)
    }

    /// Takes an entry away that is not what the damaged archive had.
    mutating func remove(_ name: String) { whole.removeAll { $0.name == name } }

    /// Moves it back to the whole ones.
    mutating func restore(_ database: AccountDatabase) {
        guard let found = damaged.removeValue(forKey: database) else { return }
        let chosen = Chosen(name: database.archiveName, role: .database(database), entry: found.entry)
        whole.insert(chosen, at: 0)
        whole.sort { Self.rank($0) < Self.rank($1) }
    }

    /// Names that differ only in case are two files here and one elsewhere; no import takes both.
    private mutating func dropTwins(_ report: inout ArchiveSalvageReport) {
        var names = FoldedNames()
        whole.removeAll { chosen in
            if names.insert(chosen.name) { return false }
            report.lost.append(
                Self.lost(chosen.entry, "name differs from another entry's only in case or Unicode form"))
            return true
        }
    }

    private func isNamedLast(_ entry: ZipScannedEntry) -> Bool {
        lastDirectory != nil && entry.directory == lastDirectory
    }

    private func passed(_ entry: ZipScannedEntry) -> ArchiveSalvageReport.Passed {
        .init(name: entry.shownName, offset: entry.headerOffset, inside: nil)
    }

    static func lost(
        _ entry: ZipScannedEntry, _ reason: Remark? = nil, olderIsKept: Bool = false
    ) -> ArchiveSalvageReport.Lost {
        .init(
            name: entry.shownName, reason: reason ?? Remark(self.reason(entry)), offset: entry.headerOffset,
            bytes: Int64(entry.data.count), olderIsKept: olderIsKept)
    }

    static func reason(_ entry: ZipScannedEntry) -> String {
        guard case .lost(let loss) = entry.state else { return "" }
        return switch loss {
        case .cutOff: "truncated: the file ends or another entry begins before the end of its data"
        case .checksum: "checksum mismatch: its data was changed"
        case .data: "damaged data"
        case .unproven: "neither its end nor its checksum can be determined"
        case .encrypted: "encrypted with zip encryption"
        case .method: "compressed with a method other than stored or deflated"
        case .ratio: "expands so much that it looks like a zip bomb"
        case .special: "not a regular file"
        case .notTried: "not read: too much of the file was already searched"
        }
    }

    /// Databases first, then media, then wallpapers, each by the bytes of the names.
    private static func rank(_ chosen: Chosen) -> (Int, ByteOrder) {
        switch chosen.role {
        case .database(let database): (database == .chat ? 0 : 1, .init(chosen.name))
        case .file: (2, .init(chosen.name))
        default: (3, .init(chosen.name))
        }
    }
}

/// Text by its bytes, as archives are sorted.
private struct ByteOrder: Comparable {
    private let bytes: String.UTF8View

    init(_ text: String) { bytes = text.utf8 }

    static func == (first: ByteOrder, second: ByteOrder) -> Bool { first.bytes.elementsEqual(second.bytes) }
    static func < (first: ByteOrder, second: ByteOrder) -> Bool {
        first.bytes.lexicographicallyPrecedes(second.bytes)
    }
}
