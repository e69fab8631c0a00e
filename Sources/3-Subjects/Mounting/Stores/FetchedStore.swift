package import ValiseEncoding

/// A store whose files are fetched when they are read, as a tree needs it.
///
/// Its functions block, and may be called by several threads at once.
package protocol FetchedStore: Sendable {
    /// Where it is, in words for its user, without a password.
    var name: String { get }

    /// What is at a path; nil where nothing is. It is not asked for the root.
    /// - Throws: where the store cannot be read.
    func entry(at path: [String]) throws -> FetchedEntry?

    /// Some entries of a folder, always in the same order.
    ///
    /// - Parameters:
    ///   - folder: none for the root.
    ///   - last: the one that they follow; nil for the first ones.
    /// - Returns: none at the end.
    /// - Throws: where the store cannot be read.
    func entries(of folder: [String], after last: FetchedEntry?) throws -> [FetchedEntry]

    /// Opens a file.
    /// - Throws: where the store cannot be read, or has no key for it.
    func open(_ entry: FetchedEntry, at path: [String]) throws -> any FetchedFile
}

/// An entry of a folder of a store.
package struct FetchedEntry: Sendable, Equatable {
    /// What it is.
    package enum Kind: Sendable, Equatable {
        case folder
        /// - Parameters:
        ///   - size: in bytes.
        ///   - version: tells two contents apart, whatever their paths are; two with the same one are the same.
        case file(size: Int64, version: [UInt8])
        case link(target: String)
    }

    package let name: String
    package let kind: Kind
    /// The bits of `chmod`; nil where the store has none.
    package let permissions: UInt32?
    /// When the content was last changed.
    package let modified: UTCTime?

    package init(_ name: String, _ kind: Kind, permissions: UInt32? = nil, modified: UTCTime? = nil) {
        self.name = name
        self.kind = kind
        self.permissions = permissions
        self.modified = modified
    }
}

/// An open file of a store.
package protocol FetchedFile: AnyObject, Sendable {
    /// In bytes.
    var size: Int64 { get }

    /// Fetches some bytes, which are verified as far as the store has digests of parts.
    ///
    /// - Parameters:
    ///   - range: in the file, some MiB at most.
    ///   - checkpoint: called now and then on the calling thread; throw to stop.
    /// - Throws: where they are missing or damaged; whatever `checkpoint` throws.
    func bytes(in range: Range<Int64>, checkpoint: () throws -> Void) throws -> [UInt8]
}
