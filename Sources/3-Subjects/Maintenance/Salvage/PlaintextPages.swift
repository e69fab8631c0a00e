import ValiseFiles
import ValisePages

/// Finds out how a database that is not encrypted is divided into pages.
enum PlaintextPages {
    private static let sizes = [4096, 1024, 2048, 8192, 16384, 32768, 65536, 512]
    private static let samples: UInt32 = 64

    /// As its header says; nil where it says nothing.
    static func open(_ source: any ByteSource) throws -> SalvagePages? {
        let head = try source.bytes(at: 0, upTo: DatabaseHeader.size)
        guard head.count == DatabaseHeader.size, let header = DatabaseHeader(head) else {
            return try guess(source)
        }
        return SalvagePages(unencrypted: source, pageSize: header.pageSize, reserve: header.reserve)
    }

    /// By what is on the other pages, where the header is lost.
    static func guess(_ source: any ByteSource) throws -> SalvagePages? {
        for size in sizes where source.size >= Int64(2 * size) {
            let pages = SalvagePages(unencrypted: source, pageSize: size, reserve: 0)
            if try looksLikeDatabase(pages) { return pages }
        }
        return nil
    }

    /// Whether at least a quarter of the pages are pages of b-trees with cells that can be read. Random bytes
    /// pass for one page in thousands.
    static func looksLikeDatabase(_ pages: SalvagePages) throws -> Bool {
        var good = 0
        var looked = 0
        let step = max(1, pages.pageCount / samples)
        for number in stride(from: UInt32(2), through: max(2, pages.pageCount), by: Int(step)) {
            guard let bytes = try pages.page(number) else { continue }
            looked += 1
            guard let page = TreePage(number, bytes), page.cellCount > 0 else { continue }
            if (0..<page.cellCount).allSatisfy({ page.cell($0) != nil }) { good += 1 }
        }
        return good > 0 && good * 4 >= looked
    }
}
