/// The pages that say of every other page who points to it. Databases with auto-vacuum have them.
package final class PointerMap {
    /// What the map says of a page.
    package enum Entry: Sendable, Equatable {
        /// The root of a tree.
        case root
        case free
        /// The first overflow page of a cell on this page.
        case overflow(of: UInt32)
        /// An overflow page that follows this one.
        case continuation(of: UInt32)
        /// A page of a tree below this one.
        case child(of: UInt32)

        init?(_ type: Int, _ page: UInt32) {
            switch type {
            case 1: self = .root
            case 2: self = .free
            case 3: self = .overflow(of: page)
            case 4: self = .continuation(of: page)
            case 5: self = .child(of: page)
            default: return nil
            }
        }
    }

    private let source: any PageSource
    private let entriesOnPage: UInt32
    private var current: (number: UInt32, bytes: PageBytes?)?

    private static let entrySize = 5
    private static let first: UInt32 = 2

    package init(_ source: any PageSource) {
        self.source = source
        entriesOnPage = UInt32(source.usableSize / Self.entrySize)
    }

    /// The page of the map that speaks of a page.
    package func mapPage(for page: UInt32) -> UInt32? {
        guard page >= Self.first else { return nil }
        let group = (page - Self.first) / (entriesOnPage + 1)
        let number = UInt64(group) * UInt64(entriesOnPage + 1) + UInt64(Self.first)
        return UInt32(exactly: number == UInt64(source.lockPage) ? number + 1 : number)
    }

    /// Whether a page is one of the map's own.
    package func isMap(_ page: UInt32) -> Bool { mapPage(for: page) == page }

    /// What the map says; nil where its page is lost or says nothing.
    /// - Throws: errors of the source.
    package func entry(of page: UInt32) throws -> Entry? {
        guard let map = mapPage(for: page), map < page, map <= source.pageCount else { return nil }
        if current?.number != map {
            current = (map, try source.page(map).map { PageBytes(bytes: $0) })
        }
        let offset = Int(page - map - 1) * Self.entrySize
        guard let bytes = current?.bytes, let type = bytes.byte(offset),
            let parent = bytes.number32(offset + 1)
        else { return nil }
        return Entry(type, parent)
    }

    /// Whether there seems to be such a map, for a database whose header is lost.
    /// - Throws: errors of the source.
    package func looksPresent() throws -> Bool {
        let pages = (Self.first + 1)...max(Self.first + 1, min(source.pageCount, Self.first + 16))
        var entries = 0
        for page in pages where page <= source.pageCount {
            switch try entry(of: page) {
            case nil: return false
            case .root, .free: entries += 1
            case .overflow(let other), .continuation(let other), .child(let other):
                guard other > 0, other <= source.pageCount else { return false }
                entries += 1
            }
        }
        return entries > 0
    }
}
