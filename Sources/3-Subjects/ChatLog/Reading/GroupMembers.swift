import ValiseChatSchema
import ValiseDatabase
import ValiseEncoding

/// The members of a group by their rows and by the IDs that all members know.
struct GroupMembers {
    private var byRow: [Int64: Participant] = [:]
    private var byID: [[UInt8]: Participant] = [:]
    /// What the user is in the group: the profile may be another one than the account's.
    private(set) var own: Participant
    /// The ID of the user's own row.
    private(set) var ownID: [UInt8]?

    /// Nobody knows more of a member whose row is gone.
    static let unknown = Participant(key: "", name: "unknown member")

    /// - Throws: `DatabaseError`; whatever `damaged` throws.
    init(
        of group: Int64, user: String, _ schema: ChatSchema, _ connection: borrowing Connection,
        damaged: (DatabaseError) throws -> Void
    ) throws {
        own = Participant(key: Participant.selfKey, name: user)
        guard schema.namesMembers else { return }
        var rows = try schema.members(of: group, connection)
        while let row = try rows.nextResult() {
            switch row {
            case .failure(let error): try damaged(error)
            case .success(let member): add(member)
            }
        }
    }

    private mutating func add(_ row: MemberRow) {
        let isOwn = row.category == "user"
        let name = row.names.shown ?? row.localName
        let key = isOwn ? Participant.selfKey : Base64URL.encode(row.memberID)
        let member = Participant(key: key, name: name)
        byRow[row.id] = member
        byID[row.memberID] = member
        if isOwn { (own, ownID) = (member, row.memberID) }
    }

    subscript(row row: Int64) -> Participant { byRow[row] ?? Self.unknown }

    /// A member by its ID, with what can be told where its row is gone.
    subscript(id id: [UInt8]) -> Participant {
        byID[id] ?? Participant(key: Base64URL.encode(id), name: Self.unknown.name)
    }
}
