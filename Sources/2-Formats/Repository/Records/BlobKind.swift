/// What a blob is.
package enum BlobKind: UInt8, Sendable, CaseIterable {
    /// A piece of a file.
    case data = 0
    /// A folder.
    case tree = 1

    /// As the index has it.
    package var name: String { self == .data ? "data" : "tree" }
}
