package import SystemPackage

/// What a store found when it started, and what it did about it.
package struct StoreStartReport: Sendable {
    /// A line of the log that was passed over.
    package struct BadLine: Hashable, Sendable, Codable {
        /// From 1.
        package var number: Int
        /// Why, as the end of a sentence about it.
        package var reason: String
    }

    /// Only so many are named.
    package static let mostNamed = 100

    /// Of the log.
    package internal(set) var lineCount = 0
    /// The first ``mostNamed``.
    package internal(set) var badLines: [BadLine] = []
    package internal(set) var badLineCount = 0
    /// The last line had no end: it was never acknowledged, and dropped.
    package internal(set) var droppedTornLine = false
    /// An official relay was killed when it started: the log from before that was restored, what it had written is
    /// kept here.
    package internal(set) var interruptedStart: FilePath?
    /// Where the log from before this start is kept; nil where nothing was to be compacted.
    package internal(set) var backup: FilePath?
    /// Why the log could not be compacted. It goes on as it is.
    package internal(set) var compactionFailure: XFTPStoreError?
    /// What uploads left that did not come to their end.
    package internal(set) var removedPartials = 0
    /// Bodies of chunks that were deleted, blocked, or not uploaded to the end; those that nothing names and that are
    /// older than the lifetime; without a log those that were there.
    package internal(set) var removedBodies = 0
    /// Bodies of which the log knows nothing. They stay until they are older than the lifetime.
    package internal(set) var unknownBodies = 0
    /// Things in the folder that are no bodies. They stay.
    package internal(set) var foreignEntries = 0
    /// Chunks whose bodies are not there, or of another size. Recipients get `AUTH`; senders may upload again.
    package internal(set) var missingBodies = 0
    /// What could not be removed: the first of them.
    package internal(set) var removalFailure: XFTPStoreError?

    package init() {}

    mutating func note(_ fault: StoreLogFault, _ number: Int) {
        badLineCount += 1
        if badLines.count < Self.mostNamed { badLines.append(BadLine(number: number, reason: fault.reason)) }
    }
}
