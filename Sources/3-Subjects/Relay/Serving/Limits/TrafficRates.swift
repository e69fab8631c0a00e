/// How much may be moved, and how many chunks announced; nil is without limit.
package struct TrafficRates: Sendable, Hashable {
    /// One piece of a download in a second: below that, a transfer could not move what it has to.
    static let leastBytes: Int64 = 64 << 10

    /// Bytes that clients send, for each second.
    package var upload: Int64?
    /// Bytes that clients get, for each second.
    package var download: Int64?
    /// Chunks that clients announce (`FNEW`), for each hour. As many may come at once.
    package var newFiles: Int?

    package init() {}

    var isUnlimited: Bool { self == TrafficRates() }
}
