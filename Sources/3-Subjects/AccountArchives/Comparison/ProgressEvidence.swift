/// Which of two states of one account is the later one.
package enum LaterSide: String, Sendable, Codable {
    case first
    case second
    /// Each went on from where both were alike.
    case both
    case unknown
}

/// What tells which side is the later one: numbers and times that only grow, in rows of both sides.
///
/// Messages alone tell nothing: those that only one side has were added there, or deleted in the other.
package struct ProgressEvidence: Sendable, Equatable, Codable {
    /// Connections of the agent that have sent or received more messages in the first side.
    package internal(set) var connectionsAheadInFirst = 0
    package internal(set) var connectionsAheadInSecond = 0
    /// Rows of the chat database that have a later time of their last change in the first side.
    package internal(set) var rowsNewerInFirst = 0
    package internal(set) var rowsNewerInSecond = 0

    init() {}

    /// Counters decide. Times do only where there is no counter, and only where they agree: clocks are put back.
    package var later: LaterSide {
        switch (connectionsAheadInFirst > 0, connectionsAheadInSecond > 0) {
        case (true, true): return .both
        case (true, false): return .first
        case (false, true): return .second
        case (false, false): break
        }
        switch (rowsNewerInFirst > 0, rowsNewerInSecond > 0) {
        case (true, false): return .first
        case (false, true): return .second
        default: return .unknown
        }
    }
}
