/// Files that are shown to programs and cannot be changed: all that a mount and a server of files know of what they show.
///
/// Its functions block, and may be called by several threads at once.
package protocol FileTree: Sendable {
    /// What it shows, in words for its user: a path or an address.
    var name: String { get }
    /// The folder that has everything.
    var root: TreeItem { get }
    /// Whether nothing of it changes while it is shown, so that names and attributes need not be asked for again.
    var isConstant: Bool { get }
}

/// A folder of a tree.
package protocol TreeFolder: Sendable {
    /// What has a name.
    /// - Parameter name: bytes of any kind.
    /// - Returns: nil where nothing has it.
    /// - Throws: where the folder cannot be read.
    func item(named name: [UInt8]) throws -> TreeItem?

    /// All of it, from the first entry on.
    /// - Throws: where the folder cannot be read.
    func listing() throws -> any TreeListing
}

/// The entries of a folder one after the other, for one thread at a time. No more of them than of one blob are in memory.
package protocol TreeListing: Sendable {
    /// The next entry, each time in the same order; nil at the end.
    /// - Throws: where the folder cannot be read.
    mutating func next() throws -> TreeEntry?
}

/// An entry of a folder.
package struct TreeEntry: Sendable {
    /// Bytes of any kind but zero and a slash; not `.` and `..`.
    package let name: [UInt8]
    package let item: TreeItem

    package init(_ name: [UInt8], _ item: TreeItem) {
        self.name = name
        self.item = item
    }
}

/// The content of a file that is not open yet.
package protocol TreeContent: Sendable {
    /// Opens it. What is verified as a whole is verified here: a program that waits for this can be ended, while a system may
    /// read ahead for nobody.
    ///
    /// - Parameter checkpoint: is called now and then where it takes long; throw to stop.
    /// - Throws: where it cannot be read; whatever `checkpoint` throws.
    func open(checkpoint: () throws -> Void) throws -> any TreeFile
}

extension TreeContent {
    /// Opens it, however long that takes.
    package func open() throws -> any TreeFile { try open {} }
}

/// An open file. It is closed with its last owner.
package protocol TreeFile: AnyObject, Sendable {
    /// In bytes, the same as its item has.
    var size: Int64 { get }

    /// Fills the buffer from `offset`: fewer bytes only where the content ends. All of them are verified.
    ///
    /// - Parameters:
    ///   - buffer: is written to.
    ///   - offset: in bytes from the start.
    ///   - checkpoint: is called now and then where it takes long; throw to stop.
    /// - Returns: how many bytes there are.
    /// - Throws: an error of the content; whatever `checkpoint` throws.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, checkpoint: () throws -> Void
    ) throws -> Int
}

extension TreeFile {
    /// Up to `count` bytes from `offset`: fewer only where the content ends.
    /// - Throws: as ``read(into:at:checkpoint:)``.
    package func bytes(
        at offset: Int64, upTo count: Int, checkpoint: () throws -> Void = {}
    ) throws -> [UInt8] {
        let count = Int(max(0, min(Int64(count), size - max(0, offset))))
        return try unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
            filled = try unsafe read(
                into: UnsafeMutableRawBufferPointer(memory), at: offset, checkpoint: checkpoint)
        }
    }
}
