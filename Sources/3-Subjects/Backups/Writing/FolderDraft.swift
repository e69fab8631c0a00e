import ValiseRepository
import ValiseStorage

/// A folder of the snapshot while it is put together.
final class FolderDraft {
    private(set) var files: [TreeNode] = []
    private var folders: [[UInt8]: FolderDraft] = [:]

    /// Takes a file on.
    /// - Parameter path: from here, as bytes with slashes.
    /// - Returns: false where a name is none of an entry, or there already.
    func add(_ node: TreeNode, at path: [UInt8]) -> Bool {
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
        guard parts.allSatisfy(NodeName.isEntry), let name = parts.last else { return false }
        var here = self
        for part in parts.dropLast() {
            guard !here.hasFile(part) else { return false }
            here = here.folder(part)
        }
        guard here.folders[name] == nil, here.names.insert(name).inserted else { return false }
        var node = node
        node.name = name
        here.files.append(node)
        return true
    }

    private var names: Set<[UInt8]> = []

    private func hasFile(_ name: [UInt8]) -> Bool { names.contains(name) }

    private func folder(_ name: [UInt8]) -> FolderDraft {
        if let known = folders[name] { return known }
        let made = FolderDraft()
        folders[name] = made
        return made
    }

    /// Stores the folders below this one, then this one.
    ///
    /// Of a folder only what is in it tells when it was changed, so that equal content makes equal folders.
    ///
    /// - Parameters:
    ///   - path: of this one, empty or with a slash at its end.
    ///   - store: stores a folder by its path, and says under which identifier.
    /// - Returns: the identifier, and the newest time in it.
    func write(
        under path: [UInt8] = [], _ store: (_ path: [UInt8], _ tree: [UInt8]) throws -> ContentID
    ) throws -> (id: ContentID, modified: RecordTime) {
        var nodes = files
        for (name, draft) in folders {
            let (id, modified) = try draft.write(under: path + name + [UInt8(ascii: "/")], store)
            nodes.append(Self.node(name, id, modified))
        }
        nodes.sort { $0.name.lexicographicallyPrecedes($1.name) }
        var encoder = TreeEncoder()
        var newest = TreeNode.noTime
        for node in nodes {
            try encoder.append(node)
            if node.modified.isAfter(newest) { newest = node.modified }
        }
        return (try store(Array(path.dropLast()), encoder.finish()), newest)
    }

    /// The entry of a folder.
    static func node(_ name: [UInt8], _ tree: ContentID, _ modified: RecordTime) -> TreeNode {
        var node = TreeNode(
            name: name, .folder, mode: FileMode(posix: 0o040700), modified: modified)
        node.subtree = tree
        return node
    }
}
