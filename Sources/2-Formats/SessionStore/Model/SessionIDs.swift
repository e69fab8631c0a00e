/// What the first digits of an ID say of it.
enum SessionIDs {
    /// A Session ID, 66 hexadecimal digits.
    static let account = "05"
    /// A group of the network.
    static let group = "03"
    /// A member of a community, blinded.
    static let blinded = ["15", "25"]

    /// Whether it is the address of a community's room.
    static func isAddress(_ id: String) -> Bool { id.hasPrefix("http://") || id.hasPrefix("https://") }

    static func isBlinded(_ id: String) -> Bool { blinded.contains { id.hasPrefix($0) } }
}
