import ValiseEncoding

/// A page with the entries of a folder.
struct FolderPage: Sendable {
    private var bytes: [UInt8]

    /// In bytes: so much of a page is in memory.
    private static let pieceSize = 64 << 10

    init(_ path: RequestPath) {
        let title =
            path.names.last.map { MultiStatus.escaped(String(decoding: $0, as: UTF8.self)) } ?? "Files"
        bytes = Array(
            """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><meta name="referrer" content="no-referrer"/>\
            <title>\(title)</title></head><body><h1>\(title)</h1><ul>\n
            """.utf8)
        if !path.names.isEmpty { bytes += Array("<li><a href=\"../\">..</a></li>\n".utf8) }
    }

    /// Adds as many entries as are written at once.
    /// - Returns: the rest, nil at the end, and the page with them.
    func part(
        of listing: any TreeListing, _ checkpoint: () throws -> Void
    ) throws -> (listing: (any TreeListing)?, page: FolderPage) {
        var (listing, page) = (listing, self)
        while page.bytes.count < Self.pieceSize {
            try checkpoint()
            guard let entry = try listing.next() else { return (nil, page) }
            page.add(entry)
        }
        return (listing, page)
    }

    private mutating func add(_ entry: TreeEntry) {
        let name = MultiStatus.escaped(String(decoding: entry.name, as: UTF8.self))
        switch entry.item.content {
        case .link: return
        case .folder: bytes += "<li><a href=\"\(RequestPath.encoded(entry.name))/\">\(name)/</a></li>\n".utf8
        case .file(_, let size):
            // A name with a colon would be taken for a scheme.
            bytes +=
                "<li><a href=\"./\(RequestPath.encoded(entry.name))\">\(name)</a> \(Count.bytes(size))</li>\n"
                .utf8
        }
    }

    mutating func end() { bytes += "</ul></body></html>\n".utf8 }

    /// Takes what was written so far.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}
