/// A member of a sample group.
struct SampleMember {
    let id: Int
    let group: Int
    /// The identifier on the wire.
    let memberID: [UInt8]
    let name: String
    let role: String
    let category: String
    let status: String
    /// The contact that this member also is.
    let contact: Int?

    var profile: Int { contact ?? 1000 + id }
    var isUser: Bool { category == "user" }
    /// Whether messages of this member arrive.
    var isConnected: Bool { ["connected", "complete"].contains(status) && !isUser }
}

/// A group of the sample.
struct SampleGroup {
    enum Kind { case usual, channel, business }

    let id: Int
    let name: String
    let kind: Kind
    let members: [SampleMember]
    var user = 1

    /// The user's own membership.
    var own: SampleMember? { members.first { $0.isUser } }
    var authors: [SampleMember] { members.filter(\.isConnected) }
}

/// Role, category, status and name of the members, the user's own row first.
struct MemberPlan {
    let name: String
    let role: String
    let category: String
    let status: String
    var contact: Int?
    var alias = ""
    /// Whether this user does not want to see the member's messages.
    var isBlocked = false
    /// `blocked` by the admins, `unrestricted`, or a word to come.
    var restriction: String?
    /// The profile that the member shows here instead of the usual one.
    var incognitoProfile: Int?
    var hasSupportChat = false

    init(_ name: String, _ role: String, _ category: String, _ status: String, _ contact: Int? = nil) {
        self.name = name
        self.role = role
        self.category = category
        self.status = status
        self.contact = contact
    }

    /// The same with something changed.
    func with(_ change: (inout MemberPlan) -> Void) -> MemberPlan {
        var plan = self
        change(&plan)
        return plan
    }

    /// Together all roles, all categories but `host`, and all statuses (SimpleX's data model).
    static let usual = [
        MemberPlan("alice", "owner", "user", "creator", 1),
        MemberPlan("bob", "admin", "invitee", "connected", 2),
        MemberPlan("carol 🌻", "moderator", "invitee", "complete", 3),
        MemberPlan("Oma Erna", "member", "post", "connected"),
        MemberPlan("nikolai", "author", "post", "connected"),
        MemberPlan("quiet one", "observer", "post", "connected"),
        MemberPlan("invited", "member", "invitee", "invited"),
        MemberPlan("introduced", "member", "post", "introduced"),
        MemberPlan("intro", "member", "pre", "intro-inv"),
        MemberPlan("accepted", "member", "post", "accepted"),
        MemberPlan("announced", "member", "post", "announced"),
        MemberPlan("waiting", "member", "post", "pending_approval"),
        MemberPlan("reviewed", "member", "post", "pending_review"),
        MemberPlan("left", "member", "post", "left"),
        MemberPlan("removed", "member", "post", "removed"),
        MemberPlan("rejected", "member", "post", "rejected"),
        MemberPlan("gone", "member", "post", "deleted"),
        MemberPlan("stranger", "member", "pre", "unknown"),
    ]
    static let channel = [
        MemberPlan("alice", "observer", "user", "connected", 1),
        MemberPlan("relay one", "relay", "host", "connected"),
        MemberPlan("news desk", "owner", "pre", "connected"),
    ]
    static let business = [
        MemberPlan("alice", "member", "user", "connected", 1),
        MemberPlan("Acme Bikes", "owner", "host", "connected"),
        MemberPlan("Clerk Two", "member", "pre", "connected"),
    ]
}
