import ValiseEncoding

/// What tells one content of a file from another, where the address is the same.
enum EntityTag {
    /// With its quotes.
    static func text(of item: TreeItem) -> String {
        let modified = item.modified
        return "\"\(item.size)-\(modified?.seconds ?? 0)-\(modified?.nanoseconds ?? 0)\""
    }
}
