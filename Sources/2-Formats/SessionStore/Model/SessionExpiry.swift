package import ValiseEncoding

/// That a message disappears.
package struct SessionExpiry: Sendable, Hashable {
    /// How long it lives once the time runs, in seconds; nil where that is not stored.
    package let lifetime: Int64?
    /// Since when the time runs; nil where it does not yet.
    package let startedAt: UTCTime?
    /// When it goes; nil where that is not known yet.
    package let expiresAt: UTCTime?

    /// Nil where nothing says that the message disappears.
    ///
    /// - Parameters:
    ///   - lifetime: in seconds; 0 for a message that stays.
    ///   - startedAt: in milliseconds since 1970; 0 for not yet.
    ///   - expiresAt: likewise; nil where it follows from the others.
    init?(lifetime: Int64?, startedAt: Int64?, expiresAt: Int64? = nil) {
        let (lifetime, startedAt) = (lifetime.flatMap(Self.positive), startedAt.flatMap(Self.positive))
        let given = expiresAt.flatMap(Self.positive)
        guard lifetime != nil || given != nil else { return nil }
        self.lifetime = lifetime
        self.startedAt = startedAt.map { UTCTime(milliseconds: $0) }
        self.expiresAt = (given ?? Self.end(lifetime, startedAt)).map { UTCTime(milliseconds: $0) }
    }

    private static func positive(_ number: Int64) -> Int64? { number > 0 ? number : nil }

    private static func end(_ lifetime: Int64?, _ startedAt: Int64?) -> Int64? {
        guard let lifetime, let startedAt else { return nil }
        let (length, overflow) = lifetime.multipliedReportingOverflow(by: 1000)
        let (end, second) = startedAt.addingReportingOverflow(length)
        // Later than any time: it does not go.
        return overflow || second ? nil : end
    }

    /// Whether the app would have removed the message by this time. What is done with it is the reader's choice.
    package func isExpired(at now: UTCTime) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

extension SessionMessage {
    /// Whether the app would have removed it by this time.
    package func isExpired(at now: UTCTime) -> Bool { expiry?.isExpired(at: now) ?? false }
}

extension UTCTime {
    /// A moment as Session stores it.
    init(milliseconds: Int64) {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let isBefore = rest < 0
        self.init(
            seconds: isBefore ? seconds - 1 : seconds,
            nanoseconds: Int(isBefore ? rest + 1000 : rest) * 1_000_000)
    }

    /// The same; nil for none, and for 0, which stands for none.
    init?(stored milliseconds: Int64?) {
        guard let milliseconds, milliseconds != 0 else { return nil }
        self.init(milliseconds: milliseconds)
    }
}
