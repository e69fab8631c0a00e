/// On which page of a conversation an item is, for quotes that jump to it.
///
/// Of the last quarter of a million items at least it is known exactly. Of older ones the page is that of the month in which the
/// quoted message was sent, and the script of the page looks on the next page where the item is missing. So memory does
/// not grow with the conversation.
struct QuoteTargets {
    private static let most = 1 << 18
    private var recent: [UInt64: Int32] = [:]
    private var earlier: [UInt64: Int32] = [:]
    /// The pages with the month that each begins with.
    private var pages: [(name: String, month: String)] = []

    /// Whether something was forgotten.
    private var isComplete = true

    /// Adds a page, to which the items that follow belong.
    mutating func addPage(_ name: String, month: String) { pages.append((name, month)) }

    /// Adds an item.
    mutating func add(_ key: String) {
        if recent.count >= Self.most {
            isComplete = isComplete && earlier.isEmpty
            earlier = recent
            recent = Dictionary(minimumCapacity: Self.most)
        }
        recent[KeyHash.of(key)] = Int32(truncatingIfNeeded: pages.count - 1)
    }

    /// The address of an item; nil where the conversation does not have it, as far as it was read.
    /// - Parameters:
    ///   - key: of the item.
    ///   - month: when it was sent, as `YYYY-MM`.
    ///   - page: from where it is quoted, by its number; the last page where nothing else is given.
    func address(of key: String, month: String?, from page: Int? = nil) -> String? {
        let fragment = "#m-" + WebLink.fragment(key)
        let hash = KeyHash.of(key)
        if let found = recent[hash] ?? earlier[hash] {
            return Int(found) == page ?? pages.count - 1 ? fragment : pages[Int(found)].name + fragment
        }
        guard !isComplete, let month else { return nil }
        return pages.last { $0.month < month }.map { $0.name + fragment }
            ?? pages.first.map { $0.name + fragment }
    }
}
