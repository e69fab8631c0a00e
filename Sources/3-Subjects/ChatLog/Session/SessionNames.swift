import ValiseSessionStore

/// Who is called how.
struct SessionNames {
    /// The account's own user, of which there is one.
    let own: Participant
    let ownID: String?
    /// By Session ID.
    private var titles: [String: String] = [:]
    /// For who keeps names back.
    private(set) var known: [KnownNames] = []
    /// What is wrong with rows that cannot be read.
    private(set) var damaged: [SessionStoreError] = []

    /// The row of the one user.
    static let userRow: Int64 = 1
    private static let unnamedUser = "unnamed user"

    /// - Throws: `SessionStoreError`.
    init(of store: any SessionStore) throws {
        var (titles, known): ([String: String], [KnownNames]) = ([:], [])
        var damaged: [SessionStoreError] = []
        try store.forEachContact(damaged: { damaged.append($0) }) { contact in
            titles[contact.id] = contact.title
            known.append(KnownNames([contact.nickname, contact.name, contact.id], fullName: nil))
        }
        ownID = store.ownID
        let name = ownID.map { titles[$0] ?? $0 } ?? Self.unnamedUser
        own = Participant(key: Participant.selfKey, name: name)
        (self.titles, self.known, self.damaged) = (titles, known, damaged)
    }

    /// What is shown of somebody: the ID where no name is known.
    func title(of id: String) -> String { titles[id] ?? id }
}
