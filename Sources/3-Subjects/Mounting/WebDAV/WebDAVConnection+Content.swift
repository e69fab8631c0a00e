import NIOHTTP1
import ValiseFailures

/// GET and HEAD.
extension WebDAVConnection {
    private static let pieceSize = 256 << 10

    /// What is at a path, open.
    private enum Opened: Sendable {
        case file(any TreeFile, tag: String)
        case folder(any TreeFolder)
        case missing
    }

    func answerContent(_ target: WebDAVTarget, _ head: HTTPRequestHead) async throws {
        let opened: Opened
        do {
            opened = try await work { checkpoint in try open(target, checkpoint) }
        } catch {
            return try await send(error, target, head)
        }
        switch opened {
        case .file(let file, let tag): try await send(file, tag, target, head)
        case .folder(let folder): try await send(folder, target, head)
        case .missing: try await send(.missing, head)
        }
    }

    private func open(_ target: WebDAVTarget, _ checkpoint: () throws -> Void) throws -> Opened {
        guard let item = try server.tree.item(at: target.path.names) else { return .missing }
        switch item.content {
        case .folder(let folder): return .folder(folder)
        case .file(let content, _):
            return .file(try content.open(checkpoint: checkpoint), tag: EntityTag.text(of: item))
        case .link: return .missing
        }
    }

    private func send(
        _ file: any TreeFile, _ tag: String, _ target: WebDAVTarget, _ head: HTTPRequestHead
    ) async throws {
        let condition = head.headers.first(name: "if-range")
        let field = condition == nil || condition == tag ? head.headers.first(name: "range") : nil
        let range = RequestedRange(field, size: file.size)
        let response = WebDAVResponse.file(range, tag: tag, size: file.size)
        let first: [UInt8]
        do {
            // What cannot be read is said before anything is given.
            first = try await piece(of: file, response.range, from: response.range.lowerBound)
        } catch {
            return try await send(error, target, head)
        }
        try await write(.head(response.head(for: head, size: Int64(response.range.count))))
        if head.method != .HEAD {
            var (bytes, offset) = (first, response.range.lowerBound)
            while !bytes.isEmpty {
                try await write(bytes)
                offset += Int64(bytes.count)
                do {
                    bytes = try await piece(of: file, response.range, from: offset)
                } catch {
                    server.tell(error, at: target.path)
                    throw error
                }
            }
        }
        try await write(.end(nil))
    }

    private func piece(
        of file: any TreeFile, _ range: Range<Int64>, from offset: Int64
    ) async throws -> [UInt8] {
        let count = Int(min(Int64(Self.pieceSize), range.upperBound - offset))
        guard count > 0 else { return [] }
        return try await work { checkpoint in
            let bytes = try file.bytes(at: offset, upTo: count, checkpoint: checkpoint)
            guard bytes.count == count else { throw MountError(.damaged, "the file ends too early") }
            return bytes
        }
    }

    // MARK: Folders

    /// A page with what is in a folder, for who opens the address in a browser.
    private func send(
        _ folder: any TreeFolder, _ target: WebDAVTarget, _ head: HTTPRequestHead
    ) async throws {
        // References are relative to it.
        guard head.uri.utf8.last == UInt8(ascii: "/") else {
            return try await send(.redirect(to: "\(target.address)/"), head)
        }
        var page = FolderPage(target.path)
        var listing: (any TreeListing)?
        do {
            (listing, page) = try await work { [page] checkpoint in
                try page.part(of: folder.listing(), checkpoint)
            }
        } catch {
            return try await send(error, target, head)
        }
        try await write(.head(WebDAVResponse.page.head(for: head, size: nil)))
        guard head.method != .HEAD else { return try await write(.end(nil)) }
        while let rest = listing {
            try await write(page.take())
            (listing, page) = try await work { [page] checkpoint in try page.part(of: rest, checkpoint) }
        }
        page.end()
        try await write(page.take())
        try await write(.end(nil))
    }
}
