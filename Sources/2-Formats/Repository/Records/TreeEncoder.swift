import ValiseEncoding
import ValiseStorage

/// Writes a tree, one entry after the other.
///
/// Entries are in the order of the bytes of their names, and no name is there twice: restic refuses to write anything else, and
/// looks entries up by it. Zeros and empty values are left out where restic leaves them out, so that equal folders are equal
/// blobs.
package struct TreeEncoder {
    private var writer: GoJSONWriter
    private var last: [UInt8]?

    /// Starts an empty tree.
    package init() {
        writer = GoJSONWriter(reserving: 4096)
        writer.beginObject()
        writer.name("nodes")
        writer.beginArray()
    }

    /// Bytes so far.
    package var size: Int { writer.bytes.count }

    /// - Throws: ``RepositoryError`` where the name is none of an entry, or not behind the last one.
    package mutating func append(_ node: TreeNode) throws(RepositoryError) {
        guard NodeName.isEntry(node.name) else {
            throw RepositoryError(
                .invalid, "the name cannot be one in a folder", String(decoding: node.name, as: UTF8.self))
        }
        guard !node.hasUnknownFields else {
            throw RepositoryError(
                .unsupported,
                "a newer program made this entry. It cannot be written without losing a part of it.",
                String(decoding: node.name, as: UTF8.self))
        }
        if let last, !last.lexicographicallyPrecedes(node.name) {
            throw RepositoryError(
                .invalid, "the names of a folder are not in order", String(decoding: node.name, as: UTF8.self)
            )
        }
        last = node.name
        writer.value(node)
    }

    /// Ends the tree.
    /// - Returns: its blob.
    package consuming func finish() -> [UInt8] {
        writer.endArray()
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }
}

extension GoJSONWriter {
    /// The fields in the order of restic.
    fileprivate mutating func value(_ node: TreeNode) {
        beginObject()
        name("name")
        value(utf8: NodeName.quote(node.name))
        name("type")
        value(node.kind.rawValue)
        unlessZero("mode", node.mode.rawValue)
        for (key, time) in [("mtime", node.modified), ("atime", node.accessed), ("ctime", node.changed)] {
            name(key)
            value(time.text)
        }
        name("uid")
        value(node.userID)
        name("gid")
        value(node.groupID)
        unlessEmpty("user", node.user)
        unlessEmpty("group", node.group)
        unlessZero("inode", node.inode)
        unlessZero("device_id", node.deviceID)
        unlessZero("size", node.size)
        unlessZero("links", node.links)
        value(target: node.target)
        value(attributes: node.attributes)
        if let json = node.genericAttributes {
            name("generic_attributes")
            value(json: json)
        }
        unlessZero("device", node.device)
        name("content")
        value(node.content)
        if let subtree = node.subtree {
            name("subtree")
            value(subtree)
        }
        unlessEmpty("error", node.error)
        endObject()
    }

    private mutating func value(_ content: [ContentID]?) {
        guard let content else { return null() }
        beginArray()
        for id in content { value(id) }
        endArray()
    }

    /// The bytes are there a second time, where they are no UTF-8 and the first field cannot keep them.
    private mutating func value(target: [UInt8]) {
        guard !target.isEmpty else { return }
        name("linktarget")
        value(utf8: target)
        if String(validating: target, as: UTF8.self) == nil {
            name("linktarget_raw")
            value(Base64.encode(target))
        }
    }

    private mutating func value(attributes: [TreeNode.Attribute]) {
        guard !attributes.isEmpty else { return }
        name("extended_attributes")
        beginArray()
        for attribute in attributes {
            beginObject()
            name("name")
            value(attribute.name)
            name("value")
            if let bytes = attribute.value { value(Base64.encode(bytes)) } else { null() }
            endObject()
        }
        endArray()
    }

    /// A field that is left out where it is zero.
    mutating func unlessZero(_ key: String, _ number: some BinaryInteger) {
        guard number != 0 else { return }
        name(key)
        value(number)
    }

    /// A field that is left out where it is empty.
    mutating func unlessEmpty(_ key: String, _ text: String) {
        guard !text.isEmpty else { return }
        name(key)
        value(text)
    }
}
