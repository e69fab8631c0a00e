/// How conversations are divided into pages.
package struct PageSplit: Sendable {
    /// A page has at most so many items.
    package var mostItems = 2000
    /// A new month begins a new page where there are so many items on the page before.
    package var fewestItems = 200
    /// A page does not grow beyond so many bytes by much.
    package var mostBytes = 4_000_000

    package init() {}
}

/// A page of a conversation, for lists of pages.
struct PageEntry {
    /// Without `.html`.
    let name: String
    let firstMonth: String
    var lastMonth: String
    var items = 0

    /// Such as `March 2025 – June 2025`.
    var title: String {
        firstMonth == "undated" ? firstMonth : DateWords.span(firstMonth, lastMonth)
    }
}
