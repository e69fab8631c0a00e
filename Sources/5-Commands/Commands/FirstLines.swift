/// The beginning of a list that may be long, and how many more there are.
enum FirstLines {
    /// How many there are at most.
    private static let most = 20

    /// - Parameters:
    ///   - items: those that are in JSON.
    ///   - count: how many there are.
    ///   - indent: what each line begins with.
    ///   - text: of an item.
    static func of<Item>(
        _ items: some Collection<Item>, of count: Int, indent: String = "  ", text: (Item) -> String
    ) -> [String] {
        let lines = items.prefix(most).map { indent + text($0) }
        guard count > lines.count else { return lines }
        let listed = items.count < count ? "the first \(items.count)" : "them"
        return lines + ["\(indent)and \(count - lines.count) more; --json lists \(listed)"]
    }
}
