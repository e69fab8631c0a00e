import ValiseStorage

extension RecordReader {
    /// Bytes of a name in its longest form: 4 for each of 255, and more than any system has.
    private static let longestName = 65_536
    private static let largestAttribute = 64 << 20

    /// An entry of a tree.
    mutating func node() throws(RepositoryError) -> TreeNode {
        var node = TreeNode(name: [], .unknown)
        node.content = nil
        var hasKind = false
        var rawTarget: [UInt8]?
        try beginObject()
        while let key = try nextKey() {
            if try takeNull() { continue }
            switch key {
            case .name: node.name = try nodeName()
            case .type:
                hasKind = true
                node.kind = TreeNode.Kind(rawValue: try text()) ?? .unknown
            case .content: node.content = try ids()
            case .subtree: node.subtree = try id()
            case .linkTarget: node.target = try string(limit: Self.longestName)
            case .rawLinkTarget: rawTarget = try base64(limit: Self.longestName)
            case .extendedAttributes: node.attributes = try attributes()
            case .genericAttributes: node.genericAttributes = try json()
            default: try field(key, of: &node)
            }
        }
        guard hasKind, NodeName.isEntry(node.name) else {
            throw damage("an entry without a valid name or type")
        }
        if let rawTarget { node.target = rawTarget }
        if node.kind == .unknown { node.hasUnknownFields = true }
        return node
    }

    private mutating func field(_ key: RecordKey, of node: inout TreeNode) throws(RepositoryError) {
        switch key {
        case .mode: node.mode = FileMode(rawValue: try unsigned())
        case .modified: node.modified = try time()
        case .accessed: node.accessed = try time()
        case .changed: node.changed = try time()
        case .uid: node.userID = try unsigned()
        case .gid: node.groupID = try unsigned()
        case .user: node.user = try text()
        case .group: node.group = try text()
        case .inode: node.inode = try unsigned()
        case .deviceID: node.deviceID = try unsigned()
        case .size: node.size = try unsigned()
        case .links: node.links = try unsigned()
        case .device: node.device = try unsigned()
        case .error: node.error = try text(limit: bytes.count)
        default:
            node.hasUnknownFields = true
            try skip()
        }
    }

    private mutating func nodeName() throws(RepositoryError) -> [UInt8] {
        guard let name = NodeName.unquote(try string(limit: Self.longestName)) else {
            throw damage("a name with an invalid escape")
        }
        return name
    }

    private mutating func attributes() throws(RepositoryError) -> [TreeNode.Attribute] {
        var attributes: [TreeNode.Attribute] = []
        try beginArray()
        while try nextElement() {
            var (name, value): (String, [UInt8]?) = ("", nil)
            try beginObject()
            while let key = try nextKey() {
                if try takeNull() { continue }
                switch key {
                case .name: name = try text()
                case .value: value = try base64(limit: Self.largestAttribute)
                default: try skip()
                }
            }
            attributes.append(TreeNode.Attribute(name: name, value: value))
        }
        return attributes
    }

    /// A time of RFC 3339.
    mutating func time() throws(RepositoryError) -> RecordTime {
        guard let time = RecordTime(text: try text(limit: 256)) else { throw damage("no time") }
        return time
    }
}

extension RecordKey {
    fileprivate static let type: RecordKey = "type"
    fileprivate static let content: RecordKey = "content"
    fileprivate static let subtree: RecordKey = "subtree"
    fileprivate static let linkTarget: RecordKey = "linktarget"
    fileprivate static let rawLinkTarget: RecordKey = "linktarget_raw"
    fileprivate static let extendedAttributes: RecordKey = "extended_attributes"
    fileprivate static let genericAttributes: RecordKey = "generic_attributes"
    fileprivate static let mode: RecordKey = "mode"
    fileprivate static let modified: RecordKey = "mtime"
    fileprivate static let accessed: RecordKey = "atime"
    fileprivate static let changed: RecordKey = "ctime"
    fileprivate static let user: RecordKey = "user"
    fileprivate static let group: RecordKey = "group"
    fileprivate static let inode: RecordKey = "inode"
    fileprivate static let deviceID: RecordKey = "device_id"
    fileprivate static let links: RecordKey = "links"
    fileprivate static let device: RecordKey = "device"
    fileprivate static let error: RecordKey = "error"
    fileprivate static let value: RecordKey = "value"
    static let name: RecordKey = "name"
    static let size: RecordKey = "size"
    static let uid: RecordKey = "uid"
    static let gid: RecordKey = "gid"
}
