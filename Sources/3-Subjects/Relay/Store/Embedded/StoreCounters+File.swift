import SystemPackage
import ValiseEncoding
import ValiseFiles

/// The file that keeps counters while the relay is down (XFTP fact sheet, §9.8).
///
/// The official one has a hash of each chunk that was downloaded; ours has the first half of its name. Chunks that have
/// gone since are counted with numbers that stand for none.
extension StoreCounters {
    private static let longestFile = 1 << 28
    /// Nobody counts as far; what is added to it does not overflow.
    private static let largestNumber = 1 << 53

    private static let numbers: [(name: String, any WritableKeyPath<StoreCounters, Int> & Sendable)] = [
        ("filesCreated", \.filesCreated), ("fileRecipients", \.fileRecipients),
        ("filesUploaded", \.filesUploaded), ("filesExpired", \.filesExpired),
        ("filesDeleted", \.filesDeleted), ("filesBlocked", \.filesBlocked),
        ("fileDownloads", \.fileDownloads), ("fileDownloadAcks", \.fileDownloadAcknowledgements),
    ]

    /// The counters from before the restart, or new ones; the file gets the name `.bak`, so that a crash does not
    /// count twice.
    static func restored(
        _ settings: ChunkStoreSettings, _ records: inout ChunkTables, _ fileSystem: FileSystem
    ) throws -> StoreCounters {
        let now = settings.clock()
        guard let path = settings.statistics, try fileSystem.exists(path) else {
            return StoreCounters(from: now)
        }
        let bytes = try fileSystem.contents(of: path, limit: longestFile)
        var counters = StoreCounters(from: now)
        counters.read(String(decoding: bytes, as: UTF8.self), now: now, &records)
        try fileSystem.rename(path, to: path.appendingSuffix(".bak"))
        try fileSystem.synchronizeDirectory(path.parentFolder)
        return counters
    }

    /// Lines that are not understood are passed over: what is lost is a number.
    mutating func read(_ text: String, now: Int64, _ records: inout ChunkTables) {
        var hashes: [Substring: Set<Int64>] = [:]
        for line in text.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let (name, value) = (line[..<equals], line[line.index(after: equals)...])
            if name == "fromTime" {
                from = UTCTime(value)?.seconds ?? from
            } else if name.hasSuffix("Hashes") {
                hashes[name] = Set(value.split(separator: ",").compactMap { Int64($0) })
            } else if let number = Self.numbers.first(where: { $0.name == name }), let value = Int(value) {
                self[keyPath: number.1] = min(max(0, value), Self.largestNumber)
            }
        }
        let (day, week) = (hashes["dayHashes"] ?? [], hashes["weekHashes"] ?? [])
        let month = hashes["monthHashes"] ?? []
        downloaded = Downloaded(day: day.count, week: week.count, month: month.count)
        markDownloads(day, week, month, &records)
    }

    private func markDownloads(
        _ day: Set<Int64>, _ week: Set<Int64>, _ month: Set<Int64>, _ records: inout ChunkTables
    ) {
        if month.isEmpty && week.isEmpty { return }
        let today = Day(time: from)
        for slot in 0..<records.chunks.end where !records.chunks[slot].isVacant {
            let hash = Self.hash(records.chunks[slot].id)
            let inWeek = week.contains(hash)
            guard
                let last = day.contains(hash)
                    ? today
                    : inWeek
                        ? Self.later(today.monday, today.firstOfMonth)
                        : month.contains(hash) ? today.firstOfMonth : nil
            else { continue }
            _ = records.noteDownload(slot, day: UInt16(clamping: last.number))
        }
    }

    private static func later(_ one: Day, _ other: Day) -> Day { one.number > other.number ? one : other }

    private static func hash(_ id: StoredID) -> Int64 { Int64(bitPattern: id.high) }

    /// The 15 lines.
    func text(_ records: ChunkTables) -> String {
        let today = Day(time: from)
        var (day, week, month): ([Int64], [Int64], [Int64]) = ([], [], [])
        for slot in 0..<records.chunks.end where !records.chunks[slot].isVacant {
            let record = records.chunks[slot]
            guard record.lastDownload > 0 else { continue }
            let last = Day(number: Int64(record.lastDownload))
            if last == today { day.append(Self.hash(record.id)) }
            if last.week == today.week { week.append(Self.hash(record.id)) }
            if last.month == today.month { month.append(Self.hash(record.id)) }
        }
        let numbers = Dictionary(uniqueKeysWithValues: Self.numbers.map { ($0.name, self[keyPath: $0.1]) })
        func line(_ name: String) -> String { "\(name)=\(numbers[name] ?? 0)" }
        let lines =
            ["fromTime=\(UTCTime(seconds: from).isoText)"]
            + [
                "filesCreated", "fileRecipients", "filesUploaded", "filesExpired", "filesDeleted",
                "filesBlocked",
            ]
            .map(line) + [
                "filesCount=\(records.uploadedCount)", "filesSize=\(records.usedSpace)", "filesDownloaded:",
                "dayHashes=" + Self.list(day, count: downloaded.day),
                "weekHashes=" + Self.list(week, count: downloaded.week),
                "monthHashes=" + Self.list(month, count: downloaded.month),
            ] + ["fileDownloads", "fileDownloadAcks"].map(line)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func list(_ hashes: [Int64], count: Int) -> String {
        var hashes = Set(hashes.prefix(count))
        while hashes.count < count { hashes.insert(.random(in: .min ... .max)) }
        return hashes.map(String.init).joined(separator: ",")
    }
}
