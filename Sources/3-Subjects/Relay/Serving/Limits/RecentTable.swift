/// Values by keys, of which a bounded number is kept: those that were asked for last.
///
/// Two tables, of which the second has what was asked for before the first became full. That costs no list, and forgets nothing
/// that is among the last half.
struct RecentTable<Key: Hashable, Value> {
    private let half: Int
    private var recent: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    /// - Parameter most: at least 2.
    init(most: Int) { half = max(1, most / 2) }

    var count: Int { recent.count + older.count }

    /// The value that is kept, or a new one.
    mutating func value(for key: Key, or make: () -> Value) -> Value {
        if let value = recent[key] { return value }
        let value = older.removeValue(forKey: key) ?? make()
        if recent.count >= half {
            older = recent
            recent = [:]
        }
        recent[key] = value
        return value
    }
}
