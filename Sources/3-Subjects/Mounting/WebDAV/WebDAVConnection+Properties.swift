import NIOHTTP1
import ValiseFailures

/// PROPFIND.
extension WebDAVConnection {
    /// In bytes: so much of an answer is in memory.
    private static let pieceSize = 64 << 10

    func answerProperties(
        _ target: WebDAVTarget, _ head: HTTPRequestHead, _ body: [UInt8]
    ) async throws {
        let depths = head.headers[canonicalForm: "depth"]
        // RFC 4918, section 9.1: none means all that is below.
        guard depths.count == 1, depths[0] == "0" || depths[0] == "1" else {
            return try await send(.infiniteDepth, head)
        }
        let request: PropertyRequest
        do {
            request = try PropertyRequest(body)
        } catch {
            return try await send(.text("This is no request for properties.", status: 400), head)
        }
        let begun: (item: TreeItem, listing: (any TreeListing)?)?
        do {
            begun = try await work { _ in
                guard let item = try server.tree.item(at: target.path.names) else { return nil }
                return (item, depths[0] == "1" ? try item.folder?.listing() : nil)
            }
        } catch {
            return try await send(error, target, head)
        }
        guard let begun else { return try await send(.missing, head) }
        try await send(begun.item, begun.listing, target, MultiStatus(request), head)
    }

    private func send(
        _ item: TreeItem, _ listing: (any TreeListing)?, _ target: WebDAVTarget, _ status: MultiStatus,
        _ head: HTTPRequestHead
    ) async throws {
        var status = status
        let isFolder = item.folder != nil
        status.add(isFolder ? "\(target.address)/" : target.address, target.path.names.last, item)
        try await write(.head(WebDAVResponse.multiStatus.head(for: head, size: nil)))
        var listing = listing
        while let rest = listing {
            let part: (listing: (any TreeListing)?, status: MultiStatus)
            do {
                part = try await work { [status] checkpoint in
                    try Self.part(of: rest, target, status, checkpoint)
                }
            } catch {
                // The head is on its way: an answer that ends too early is no answer.
                server.tell(error, at: target.path)
                throw error
            }
            (listing, status) = part
            try await write(status.take())
        }
        status.end()
        try await write(status.take())
        try await write(.end(nil))
    }

    private static func part(
        of listing: any TreeListing, _ target: WebDAVTarget, _ status: MultiStatus,
        _ checkpoint: () throws -> Void
    ) throws -> (listing: (any TreeListing)?, status: MultiStatus) {
        var (listing, status) = (listing, status)
        while status.bytes.count < pieceSize {
            try checkpoint()
            guard let entry = try listing.next() else { return (nil, status) }
            // WebDAV has no links: they are left out.
            if case .link = entry.item.content { continue }
            let address = "\(target.address)/\(RequestPath.encoded(entry.name))"
            status.add(entry.item.folder == nil ? address : "\(address)/", entry.name, entry.item)
        }
        return (listing, status)
    }
}
