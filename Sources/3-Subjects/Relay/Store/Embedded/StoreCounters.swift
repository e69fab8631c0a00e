import ValiseEncoding

/// What happened since the last midnight at which it was asked for.
struct StoreCounters: Equatable, Sendable {
    /// Distinct chunks that were downloaded in a day, a week and a month.
    struct Downloaded: Equatable, Sendable {
        var day = 0
        var week = 0
        var month = 0
    }

    /// Since when, in seconds since 1970.
    var from: Int64
    var filesCreated = 0
    var fileRecipients = 0
    var filesUploaded = 0
    var filesExpired = 0
    var filesDeleted = 0
    var filesBlocked = 0
    var fileDownloads = 0
    var fileDownloadAcknowledgements = 0
    var downloaded = Downloaded()

    init(from: Int64) { self.from = from }

    /// - Parameters:
    ///   - previous: the day of the chunk's last download before this one; zero for never.
    ///   - day: of this one.
    mutating func noteDownload(previous: UInt16, day: UInt16) {
        fileDownloads += 1
        guard previous != day else { return }
        let (previous, day) = (Day(number: Int64(previous)), Day(number: Int64(day)))
        downloaded.day += 1
        if previous.week != day.week { downloaded.week += 1 }
        if previous.month != day.month { downloaded.month += 1 }
    }

    /// What was counted since the last midnight, for those who ask.
    ///
    /// - Parameters:
    ///   - count: of chunks whose bodies are here.
    ///   - size: of these, in bytes.
    func statistics(count: Int, size: Int64) -> StoreStatistics {
        StoreStatistics(
            from: from, filesCreated: filesCreated, fileRecipients: fileRecipients,
            filesUploaded: filesUploaded, filesExpired: filesExpired, filesDeleted: filesDeleted,
            filesBlocked: filesBlocked, fileDownloads: fileDownloads,
            fileDownloadAcknowledgements: fileDownloadAcknowledgements, downloadedToday: downloaded.day,
            downloadedThisWeek: downloaded.week, downloadedThisMonth: downloaded.month, filesCount: count,
            filesSize: size)
    }

    /// The line of the day that has passed, and counters that begin again; nil on the same day.
    ///
    /// - Parameters:
    ///   - count: of chunks whose bodies are here.
    ///   - size: of these, in bytes.
    mutating func rollOver(now: Int64, count: Int, size: Int64) -> String? {
        let (previous, day) = (Day(time: from), Day(time: now))
        guard previous.number < day.number else { return nil }
        let newWeek = previous.week != day.week
        let newMonth = previous.month != day.month
        let fields: [String] = [
            previous.text, "\(filesCreated)", "\(fileRecipients)", "\(filesUploaded)", "\(filesDeleted)",
            "\(downloaded.day)", newWeek ? "\(downloaded.week)" : "", newMonth ? "\(downloaded.month)" : "",
            "\(fileDownloads)", "\(fileDownloadAcknowledgements)", "\(count)", "\(size)", "\(filesExpired)",
        ]
        let kept = Downloaded(
            day: 0, week: newWeek ? 0 : downloaded.week, month: newMonth ? 0 : downloaded.month)
        self = StoreCounters(from: now)
        downloaded = kept
        return fields.joined(separator: ",")
    }

    /// A day in UTC.
    struct Day: Equatable {
        /// Since 1970.
        let number: Int64

        init(number: Int64) { self.number = number }
        init(time: Int64) { number = time / 86_400 }

        /// Weeks begin on Mondays; 1970 began on a Thursday.
        var week: Int64 { (number + 3) / 7 }
        var text: String { UTCTime(seconds: number * 86_400).dateText }
        var month: Substring { text.prefix(7) }
        var monday: Day { Day(number: max(0, week * 7 - 3)) }
        var firstOfMonth: Day { UTCTime("\(month)-01").map { Day(time: $0.seconds) } ?? self }
    }
}
