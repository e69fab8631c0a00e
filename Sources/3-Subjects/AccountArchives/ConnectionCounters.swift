import ValiseChatSchema
import ValiseDatabase

/// In which of two agent databases the connections have sent and received more.
struct ConnectionCounters {
    /// How many connections both have.
    private(set) var common = 0
    /// Of those, how many are further on in the previous database.
    private(set) var previousAhead = 0
    /// And in the new one.
    private(set) var newAhead = 0
    /// And in neither, though their ratchets are not the same.
    private(set) var differing = 0
    /// How many only the previous database has: the new one would lose them.
    private(set) var previousOnly = 0
    /// How many only the new one has.
    private(set) var newOnly = 0

    /// Goes through both in the order of the identifiers, so that memory does not grow with them.
    /// - Throws: ``DatabaseError``.
    init(previous: borrowing Connection, new: borrowing Connection) throws(DatabaseError) {
        var previousRows = try AgentSchema(previous).connections(previous)
        var newRows = try AgentSchema(new).connections(new)
        var left = try previousRows.next()
        var right = try newRows.next()
        while left != nil || right != nil {
            if let one = left, let other = right, one.id == other.id {
                compare(one, other)
                (left, right) = (try previousRows.next(), try newRows.next())
            } else if let one = left, right.map({ one.id.lexicographicallyPrecedes($0.id) }) ?? true {
                previousOnly += 1
                left = try previousRows.next()
            } else {
                newOnly += 1
                right = try newRows.next()
            }
        }
    }

    private mutating func compare(_ previous: ConnectionRow, _ new: ConnectionRow) {
        common += 1
        if previous.lastMessage > new.lastMessage { previousAhead += 1 }
        if previous.lastMessage < new.lastMessage { newAhead += 1 }
        if previous.lastMessage == new.lastMessage, previous.ratchet != new.ratchet { differing += 1 }
    }

    /// Whether both have connections, and none in common: two accounts, of two users or devices.
    var areStrangers: Bool { common == 0 && previousOnly > 0 && newOnly > 0 }
}
