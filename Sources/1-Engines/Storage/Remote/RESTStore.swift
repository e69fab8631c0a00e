import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// A repository behind restic's REST interface: rest-server, or `serve restic` of rclone.
///
/// Source: the fact sheet, section "Storage back ends". A name has no folder of two digits there, and most servers compare it
/// with the digest of what they get.
package final class RESTStore: BlobStore {
    /// The second version of lists, which have sizes.
    static let version2 = "application/vnd.x.restic.rest.v2"

    package let location: String
    /// With a slash at its end.
    private let base: String
    let transfer: HTTPTransfer

    /// - Parameters:
    ///   - address: of the repository.
    ///   - settings: how the server is reached. The user of the address counts where they name none.
    ///   - checkpoint: is asked often while a request runs; throw to stop.
    package init(
        _ address: HTTPAddress, _ settings: HTTPTransfer.Settings = HTTPTransfer.Settings(),
        checkpoint: @escaping @Sendable () throws -> Void = {}
    ) {
        location = address.text
        base = address.text + "/"
        var settings = settings
        settings.user = settings.user ?? address.user
        transfer = HTTPTransfer(settings, checkpoint: checkpoint)
    }

    package func create() throws {
        let response = try transfer.perform(HTTPRequest(.post, base + "?create=true", body: []))
        guard response.isSuccess else { throw failure(response, location) }
    }

    // MARK: Reading

    package func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8] {
        guard let range else { return try whole(name) }
        if range.isEmpty {
            guard try range.lowerBound >= 0 && range.upperBound <= size(of: name) else {
                throw StorageError.tooShort(name.description)
            }
            return []
        }
        var request = HTTPRequest(.get, url(name), headers: [try range.header(name.description)])
        request.mostBytes = range.count
        let response = try transfer.perform(request)
        guard response.isSuccess || response.status == 416 else { throw failure(response, name.description) }
        return try response.content(of: range, name.description)
    }

    private func whole(_ name: StoredName) throws -> [UInt8] {
        let response = try transfer.perform(HTTPRequest(.get, url(name), mostBytes: name.mostBytes))
        guard response.status == 200 else { throw failure(response, name.description) }
        return try response.wholeContent(name.description)
    }

    package func size(of name: StoredName) throws -> Int64 {
        let response = try transfer.perform(HTTPRequest(.head, url(name)))
        guard response.isSuccess else { throw failure(response, name.description) }
        return try response.size(of: name.description)
    }

    // MARK: Writing

    package func put(_ name: StoredName, _ content: [UInt8]) throws {
        // Some servers replace it without a word.
        if name == .config, try isStored(name, content) { return }
        let headers = [(name: "Content-Type", value: "application/octet-stream")]
        let response: HTTPResponse
        do {
            response = try transfer.perform(HTTPRequest(.post, url(name), headers: headers, body: content))
        } catch let error as StorageError where error.isTransient {
            // A server that refuses a file may close before it has read it; and an answer may be lost on its way.
            if name != .config, (try? size(of: name)) == Int64(content.count) { return }
            throw error
        }
        if response.isSuccess { return }
        if response.status == 403, try isStored(name, content) { return }
        throw failure(response, name.description)
    }

    /// Whether a file of this name has the content. A digest for a name says enough, together with the size.
    /// - Throws: ``StorageError``: `alreadyExists` for another content.
    private func isStored(_ name: StoredName, _ content: [UInt8]) throws -> Bool {
        do {
            let isSame =
                name == .config ? try isConfiguration(content) : try size(of: name) == Int64(content.count)
            guard isSame else { throw StorageError.otherContent(name.description) }
            return true
        } catch let error as StorageError where error.code == .notFound {
            return false
        }
    }

    /// rest-server shows the configuration while it comes from another client: a beginning of it gets a second to be complete.
    private func isConfiguration(_ content: [UInt8]) throws -> Bool {
        for _ in 0..<20 {
            let found = try get(.config)
            if found == content { return true }
            guard found.count < content.count, content.starts(with: found) else { return false }
            FileSystem.wait(.milliseconds(50))
        }
        return false
    }

    package func remove(_ name: StoredName) throws {
        let response = try transfer.perform(HTTPRequest(.delete, url(name)))
        switch response.status {
        case 200..<300, 404, 410: return
        case 403, 405: throw StorageError.keepsEverything(name.description)
        default: throw failure(response, name.description)
        }
    }

    // MARK: Requests

    private func url(_ name: StoredName) -> String {
        switch name {
        case .config: base + "config"
        case .file(let kind, let id): "\(folder(kind))\(id.text)"
        }
    }

    /// With a slash at its end.
    func folder(_ kind: StoredKind) -> String { "\(base)\(kind.rawValue)/" }

    func failure(_ response: HTTPResponse, _ subject: String) -> StorageError {
        StorageError(response, subject, hasUser: transfer.hasUser)
    }
}
