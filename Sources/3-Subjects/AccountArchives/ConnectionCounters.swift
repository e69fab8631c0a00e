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

    private static let query = """
        SELECT c.conn_id, c.last_internal_msg_id, r.ratchet_state
        FROM connections c LEFT JOIN ratchets r ON r.conn_id = c.conn_id ORDER BY c.conn_id
        """

    private struct Row {
        let id: [UInt8]
        let count: Int64
        let ratchet: [UInt8]
    }

    /// Goes through both in the order of the identifiers, so that memory does not grow with them.
    /// - Throws: ``DatabaseError``.
    init(former: borrowing Connection, new: borrowing Connection) throws(DatabaseError) {
        let formerRows = try former.prepare(Self.query)
        let newRows = try new.prepare(Self.query)
        var left = try Self.next(formerRows)
        var right = try Self.next(newRows)
        while left != nil || right != nil {
            if let one = left, let other = right, one.id == other.id {
                compare(one, other)
                (left, right) = (try Self.next(formerRows), try Self.next(newRows))
            } else if let one = left, right.map({ one.id.lexicographicallyPrecedes($0.id) }) ?? true {
                formerOnly += 1
                left = try Self.next(formerRows)
            } else {
                newOnly += 1
                right = try Self.next(newRows)
            }
        }
    }

    private mutating func compare(_ former: Row, _ new: Row) {
        common += 1
        if former.count > new.count { formerAhead += 1 }
        if former.count < new.count { newAhead += 1 }
        if former.count == new.count, former.ratchet != new.ratchet { differing += 1 }
    }

    /// Whether both have connections, and none in common: two accounts, of two persons or devices.
    var areStrangers: Bool { common == 0 && formerOnly > 0 && newOnly > 0 }

    private static func next(_ rows: borrowing Statement) throws(DatabaseError) -> Row? {
        guard try rows.step() else { return nil }
        return Row(
            id: rows.withBytes(0) { Array($0) }, count: rows.value(1).integer ?? 0,
            ratchet: rows.withBytes(2) { Array($0) })
    }
}
