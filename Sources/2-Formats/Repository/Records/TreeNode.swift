package import ValiseStorage

/// An entry of a folder.
package struct TreeNode: Sendable, Equatable {
    /// What it is.
    package enum Kind: String, Sendable {
        case file
        case folder = "dir"
        case symlink
        case blockDevice = "dev"
        case characterDevice = "chardev"
        case pipe = "fifo"
        case socket
        case irregular
        /// What a later program writes. It can be listed, and nothing else.
        case unknown = ""
    }

    /// A named value of the file system.
    package struct Attribute: Sendable, Equatable {
        package let name: String
        /// Nil where the tree has `null`.
        package let value: [UInt8]?

        package init(name: String, value: [UInt8]?) {
            self.name = name
            self.value = value
        }
    }

    /// Bytes of any kind, an entry of a folder by ``NodeName/isEntry(_:)``.
    package var name: [UInt8]
    package var kind: Kind
    package var mode: FileMode
    /// When the content was changed.
    package var modified: RecordTime
    /// When it was read; restic writes ``modified`` here, unless it is asked for.
    package var accessed: RecordTime
    /// When the content, the mode or the owner was changed.
    package var changed: RecordTime
    package var userID: UInt32 = 0
    package var groupID: UInt32 = 0
    package var user = ""
    package var group = ""
    package var inode: UInt64 = 0
    /// Since restic 0.17 only where hard links need it: it changes with each boot of some systems.
    package var deviceID: UInt64 = 0
    /// In bytes. Nothing but a reader of the content can say whether it is true.
    package var size: UInt64 = 0
    /// The number of names that the file has; 0 is written for folders.
    package var links: UInt64 = 0
    /// Where a symbolic link points to; bytes of any kind.
    package var target: [UInt8] = []
    package var attributes: [Attribute] = []
    /// Attributes of other systems: an object of JSON as it was written.
    package var genericAttributes: [UInt8]?
    /// Of a device.
    package var device: UInt64 = 0
    /// The blobs of a file in order, none for an empty one; nil for everything but files.
    package var content: [ContentID]?
    /// The tree of a folder.
    package var subtree: ContentID?
    /// Why it could not be read entirely when it was backed up.
    package var error = ""
    /// Whether the tree had fields or a kind that this program does not know and would not write.
    package var hasUnknownFields = false

    /// What no system knows of a time: the one that Go writes for none.
    package static let noTime = RecordTime(seconds: -62_135_596_800)

    package init(
        name: [UInt8], _ kind: Kind, mode: FileMode = FileMode(rawValue: 0),
        modified: RecordTime = Self.noTime,
        accessed: RecordTime? = nil, changed: RecordTime? = nil
    ) {
        self.name = name
        self.kind = kind
        self.mode = mode
        self.modified = modified
        self.accessed = accessed ?? modified
        self.changed = changed ?? modified
        content = kind == .file ? [] : nil
    }
}
