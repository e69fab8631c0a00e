/// What a page is used for.
package enum PageUse: UInt8, Sendable {
    case unknown
    case tree
    case overflow
    case free
    case map
    case lock
}

/// Notes which pages have been reached, and by whom. A page is claimed once: so no chain of pages, however it
/// is linked, is followed for longer than the file is.
package final class PageClaims {
    private var uses: [PageUse]
    private var owners: [UInt32]

    /// An owner that stands for nobody.
    package static let nobody: UInt32 = 0

    package init(pageCount: UInt32) {
        uses = Array(repeating: .unknown, count: Int(pageCount) + 1)
        owners = Array(repeating: Self.nobody, count: Int(pageCount) + 1)
    }

    /// Claims a page, unless it is not in the file or was claimed before.
    package func claim(_ page: UInt32, as use: PageUse, by owner: UInt32 = nobody) -> Bool {
        guard page > 0, Int(page) < uses.count, uses[Int(page)] == .unknown else { return false }
        uses[Int(page)] = use
        owners[Int(page)] = owner
        return true
    }

    /// Takes a claim back.
    package func release(_ page: UInt32) {
        guard page > 0, Int(page) < uses.count else { return }
        uses[Int(page)] = .unknown
        owners[Int(page)] = Self.nobody
    }

    /// What a page was claimed for.
    package func use(of page: UInt32) -> PageUse {
        Int(page) < uses.count ? uses[Int(page)] : .unknown
    }

    /// Who claimed a page.
    package func owner(of page: UInt32) -> UInt32 {
        Int(page) < owners.count ? owners[Int(page)] : Self.nobody
    }
}
