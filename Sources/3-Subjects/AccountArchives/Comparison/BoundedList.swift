/// The first of many things, and how many there are.
package struct BoundedList<Item: Sendable & Equatable & Codable>: Sendable, Equatable, Codable {
    /// How many there are.
    package private(set) var count = 0
    /// The first thousand.
    package private(set) var items: [Item] = []

    /// How many are kept.
    package static var mostListed: Int { 1000 }

    init() {}

    init(_ items: some Sequence<Item>) {
        for item in items { add(item) }
    }

    mutating func add(_ item: Item) {
        count += 1
        if items.count < Self.mostListed { items.append(item) }
    }

    /// Whether there is none.
    package var isEmpty: Bool { count == 0 }
}
