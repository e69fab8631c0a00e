import ValiseEncoding
import ValiseFailures

extension RESTStore {
    /// Two million files.
    private static let mostListBytes = 256 << 20

    package func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws {
        let accept = (name: "Accept", value: Self.version2)
        let response = try transfer.perform(
            HTTPRequest(.get, folder(kind), headers: [accept], mostBytes: Self.mostListBytes))
        if response.status == 404 {
            // rclone has an empty list for a folder that does not exist, and this for a list that it could not make.
            guard response["server"]?.hasPrefix("rclone/") != true else {
                throw StorageError(.server, .failed, "the server cannot list the folder", kind.rawValue)
            }
            return
        }
        guard response.status == 200 else { throw failure(response, kind.rawValue) }
        guard !response.isCut else {
            throw StorageError(.answer, .failed, "the server's list is too long", kind.rawValue)
        }
        var elements = JSONElements(response.body)
        while let element = elements.next() { try pass(element, kind, body) }
        guard elements.isComplete else { throw Self.invalidList(kind) }
    }

    private static func invalidList(_ kind: StoredKind) -> StorageError {
        StorageError(.answer, .failed, "the server's list is invalid", kind.rawValue)
    }

    private func pass(
        _ element: JSONNode, _ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void
    ) throws {
        if let name = element["name"]?.textValue {
            guard let id = ContentID(text: name) else { return }
            guard let size = element["size"]?.integerValue, size >= 0 else { throw Self.invalidList(kind) }
            return try body(id, size)
        }
        // The first version has names alone.
        guard let name = element.textValue else { throw Self.invalidList(kind) }
        guard let id = ContentID(text: name) else { return }
        let size: Int64
        do {
            size = try self.size(of: .file(kind, id))
        } catch let error as StorageError where error.code == .notFound {
            return  // removed meanwhile, as locks are
        }
        try body(id, size)
    }
}
