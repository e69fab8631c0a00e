import ValiseChatSchema
import ValiseDatabase

/// In which of two agent databases the connections have sent and received more.
struct ConnectionCounters {
    /// How many connections both have.
    private(set) var common = 0
    /// Of those, how many are further on in the former database.
    private(set) var formerAhead = 0
    /// And in the new one.
    private(set) var newAhead = 0
    /// And in neither, though their ratchets are not the same.
    private(set) var differing = 0
    /// How many only the former database has: the new one would lose them.
    private(set) var formerOnly = 0
    /// How many only the new one has.
    private(set) var newOnly = 0

    /// Goes through both in the order of the identifiers, so that memory does not grow with them.
    /// - Throws: ``DatabaseError``.
    init(former: borrowing Connection, new: borrowing Connection) throws(DatabaseError) {
        var formerRows = try AgentSchema(former).connections(former)
        var newRows = try AgentSchema(new).connections(new)
        var left = try formerRows.next()
        var right = try newRows.next()
        while left != nil || right != nil {
            if let one = left, let other = right, one.id == other.id {
                compare(one, other)
                (left, right) = (try formerRows.next(), try newRows.next())
            } else if let one = left, right.map({ one.id.lexicographicallyPrecedes($0.id) }) ?? true {
                formerOnly += 1
                left = try formerRows.next()
            } else {
                newOnly += 1
                right = try newRows.next()
            }
        }
    }

    private mutating func compare(_ former: ConnectionRow, _ new: ConnectionRow) {
        common += 1
        if former.lastMessage > new.lastMessage { formerAhead += 1 }
        if former.lastMessage < new.lastMessage { newAhead += 1 }
        if former.lastMessage == new.lastMessage, former.ratchet != new.ratchet { differing += 1 }
    }

    /// Whether both have connections, and none in common: two accounts, of two persons or devices.
    var areStrangers: Bool { common == 0 && formerOnly > 0 && newOnly > 0 }
}
