/// Who talks in the conversations, in addition to the people of the usual sample.
struct SampleCast {
    let contacts: [SampleContact]
    let groups: [SampleGroup]

    /// A second profile beside the user's first, and not hidden.
    static let colleague = SampleUser(
        id: 3, name: "alice at work", fullName: "Alice S., Acme", contact: 30, noteFolder: 3, isHidden: false)

    static let users = SampleUser.all + [colleague]

    /// A chat that the user deleted and whose contact was kept, so that the app lists it elsewhere.
    static let deletedChat = 44
    /// A chat that was marked as unread by hand.
    static let markedUnread = 45

    /// Names that a page, a table, a file system or a terminal may stumble over; the last ones are other users'.
    static let extraContacts: [SampleContact] = [
        SampleContact(id: 31, name: HostileTexts.markup[0], fullName: HostileTexts.markup[1]),
        SampleContact(id: 32, name: HostileTexts.markup[1], alias: HostileTexts.markup[4]),
        SampleContact(id: 33, name: "\u{202E}gpj.exe", fullName: "\u{2066}open"),
        SampleContact(id: 34, name: "محمد علي (العمل)", alias: "שם אחר", hasImage: true),
        SampleContact(id: 35, name: String(repeating: "Rhabarberbarbara", count: 40)),
        SampleContact(id: 36, name: "𓀀𝒜🏴‍☠️👩🏽‍🚀"),
        SampleContact(id: 37, name: "../../etc/passwd"),
        SampleContact(id: 38, name: HostileTexts.commands[0]),
        SampleContact(id: 39, name: "nul\u{1}name\u{1B}[31m"),
        SampleContact(id: 40, name: "Dr. Who.", fullName: "Dr. Who."),
        SampleContact(id: 41, name: "\u{A0}\u{200B}"),
        SampleContact(id: 42, name: "{{name}} | ann, \"b\"; c"),
        SampleContact(id: 43, name: "CON", alias: "aux."),
        SampleContact(id: deletedChat, name: "conversation deleted"),
        SampleContact(id: markedUnread, name: "marked unread"),
        SampleContact(id: 46, name: "boss", user: 3, fullName: "Big Boss"),
        SampleContact(id: 47, name: "bob", user: 3, alias: "Bob of work", incognitoProfile: 102),
        SampleContact(id: 48, name: "stranger at night", user: 2),
    ]
}

/// A group of the conversations before its rows are written.
struct CastGroup {
    let id: Int
    let name: String
    var kind = SampleGroup.Kind.usual
    var user = 1
    /// `channel`, or a word that is not known.
    var type: String?
    /// `business` where the user is the business, `customer` where the user is the customer.
    var business: String?
    var alias = ""
    let members: [MemberPlan]

    static let all: [CastGroup] = [
        CastGroup(id: 11, name: "Harbour <b>\u{202E}", members: harbour),
        CastGroup(
            id: 12, name: "Reading circle", alias: "books",
            members: [
                MemberPlan("alice", "member", "user", "connected", 1).with { $0.incognitoProfile = 101 },
                MemberPlan("host", "owner", "host", "connected"),
                MemberPlan("Ann B", "moderator", "pre", "connected"),
                MemberPlan("carol 🌻", "member", "pre", "connected", 3),
            ]),
        CastGroup(
            id: 13, name: "News <desk>", kind: .channel, type: "channel",
            members: [
                MemberPlan("alice", "observer", "user", "connected", 1),
                MemberPlan("relay", "relay", "host", "connected"),
                MemberPlan("editor", "owner", "pre", "connected"),
            ]),
        CastGroup(
            id: 14, name: "My channel", kind: .channel, type: "channel",
            members: [
                MemberPlan("alice", "owner", "user", "creator", 1),
                MemberPlan("relay", "relay", "invitee", "connected"),
                MemberPlan("reader", "observer", "post", "connected"),
            ]),
        CastGroup(
            id: 15, name: "Customer Kim", kind: .business, business: "business",
            members: [
                MemberPlan("alice", "owner", "user", "creator", 1),
                MemberPlan("Kim", "member", "invitee", "connected"),
                MemberPlan("colleague", "admin", "invitee", "connected"),
            ]),
        CastGroup(
            id: 16, name: "Bank of Examples", kind: .business, business: "customer",
            members: [
                MemberPlan("alice", "member", "user", "connected", 1),
                MemberPlan("bank", "owner", "host", "connected"),
                MemberPlan("clerk", "member", "pre", "connected"),
            ]),
        CastGroup(id: 17, name: "left behind", members: ended("left")),
        CastGroup(id: 18, name: "removed from", members: ended("removed")),
        CastGroup(id: 19, name: "deleted by the owner", members: ended("deleted")),
        CastGroup(id: 20, name: "Forum", type: "forum", members: ended("connected")),
        CastGroup(id: 21, name: "Team", user: 3, members: other(30, "alice at work")),
        CastGroup(id: 22, name: "night shift", user: 2, members: other(20, "night owl")),
    ]

    private static let harbour: [MemberPlan] = [
        MemberPlan("alice", "owner", "user", "creator", 1),
        MemberPlan("bob", "admin", "invitee", "connected", 2),
        MemberPlan("carol 🌻", "moderator", "invitee", "complete", 3),
        MemberPlan("Jo Ann", "member", "post", "connected"),
        MemberPlan("Dr. Who.", "member", "post", "connected"),
        MemberPlan("bob", "member", "post", "connected"),
        MemberPlan("\u{202E}live", "member", "post", "connected"),
        MemberPlan(HostileTexts.markup[1], "member", "post", "connected").with {
            $0.alias = HostileTexts.markup[0]
        },
        MemberPlan("אורי כהן", "author", "post", "connected"),
        MemberPlan("ghost", "author", "pre", "unknown"),
        // Known by nothing but the identifier, the beginning of which then is the name.
        MemberPlan("", "author", "pre", "unknown"), MemberPlan("left one", "member", "post", "left"),
        MemberPlan("removed one", "member", "post", "removed"),
        MemberPlan("noisy", "observer", "post", "connected").with { $0.isBlocked = true },
        MemberPlan("banned", "member", "post", "connected").with { $0.restriction = "blocked" },
        MemberPlan("freed", "member", "post", "connected").with { $0.restriction = "unrestricted" },
        MemberPlan("odd", "commenter", "post", "connected").with { $0.restriction = "shadowed" },
        MemberPlan("applicant", "observer", "post", "pending_approval").with { $0.hasSupportChat = true },
        MemberPlan("reviewee", "member", "post", "pending_review").with { $0.hasSupportChat = true },
        MemberPlan("asker", "member", "post", "connected").with { $0.hasSupportChat = true },
    ]

    private static func ended(_ status: String) -> [MemberPlan] {
        [
            MemberPlan("alice", "member", "user", status, 1),
            MemberPlan("host", "owner", "host", "connected"),
            MemberPlan("guest", "member", "pre", "connected"),
        ]
    }

    private static func other(_ contact: Int, _ name: String) -> [MemberPlan] {
        [
            MemberPlan(name, "owner", "user", "creator", contact),
            MemberPlan("dave", "admin", "invitee", "connected"),
            MemberPlan("erin", "member", "post", "connected"),
        ]
    }
}
