/// A user profile of the sample.
struct SampleUser {
    let id: Int
    let name: String
    let fullName: String
    /// The row in `contacts` that stands for the user.
    let contact: Int
    let noteFolder: Int
    let isHidden: Bool

    static let alice = SampleUser(
        id: 1, name: "alice", fullName: "Alice Sample", contact: 1, noteFolder: 1, isHidden: false)
    static let hidden = SampleUser(
        id: 2, name: "night owl", fullName: "", contact: 20, noteFolder: 2, isHidden: true)
    static let all = [alice, hidden]
}

/// A contact of the sample. The names try what a reader may stumble over: emoji, right-to-left scripts,
/// a name taken twice.
struct SampleContact {
    let id: Int
    let name: String
    var user = 1
    var fullName = ""
    var localName: String?
    var alias = ""
    var favorite = false
    /// `active`, `deleted` by the contact, or `deletedByUser`.
    var status = "active"
    var isBot = false
    /// The profile that is shown to this contact instead of the user's own.
    var incognitoProfile: Int?
    var hasImage = false
    var notifications = "1"

    /// The name that is unique among those of a user.
    var uniqueName: String { localName ?? name }
    /// Whether the chat can have messages.
    var hasChat: Bool { status != "deletedByUser" }

    static let all: [SampleContact] = [
        SampleContact(id: 2, name: "bob", fullName: "Bob Example", favorite: true, hasImage: true),
        SampleContact(id: 3, name: "carol 🌻", fullName: "Carol O'Neil"),
        SampleContact(id: 4, name: "דנה לוי", fullName: "דנה"),
        SampleContact(id: 5, name: "فاطمة", alias: "Fatima (work)"),
        SampleContact(id: 6, name: "bob", fullName: "Another Bob", localName: "bob_1"),
        SampleContact(id: 7, name: "Weather Bot", isBot: true),
        SampleContact(id: 8, name: "mallory", status: "deleted"),
        SampleContact(id: 9, name: "Zoë", incognitoProfile: 101),
        SampleContact(id: 10, name: "Иван 日本語 👩‍👩‍👧‍👦", fullName: "Ivan", notifications: "0"),
        SampleContact(id: 11, name: "eve", status: "deletedByUser"),
        SampleContact(id: 21, name: "grace", user: 2, fullName: "Grace H."),
        SampleContact(id: 22, name: "heidi", user: 2),
    ]
}
