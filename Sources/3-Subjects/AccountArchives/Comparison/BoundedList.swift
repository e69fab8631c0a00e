/// The first of many things, and how many there are.
public struct BoundedList<Item: Sendable & Equatable & Codable>: Sendable, Equatable, Codable {
    /// How many there are.
    public private(set) var count = 0
    /// The first thousand.
    public private(set) var items: [Item] = []

    /// How many are kept.
    public static var mostListed: Int { 1000 }

    init() {}

    init(_ items: some Sequence<Item>) {
        for item in items { add(item) }
    }

    mutating func add(_ item: Item) {
        count += 1
        if items.count < Self.mostListed { items.append(item) }
    }

    /// Whether there is none.
    public var isEmpty: Bool { count == 0 }
}
