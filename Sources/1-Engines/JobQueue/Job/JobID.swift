/// The number of a job. Numbers rise in the order in which jobs are added, and none is given twice.
///
/// It is encoded as its number alone, as the standard library does that.
public struct JobID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The number in the queue.
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The number as a user types it; nil for what is none.
    package init?(_ text: String) {
        guard let number = Int64(text), number > 0 else { return nil }
        rawValue = number
    }

    public var description: String { String(rawValue) }

    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
