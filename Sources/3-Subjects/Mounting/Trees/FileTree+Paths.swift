import ValiseFailures

extension FileTree {
    /// What is at a path of names. Links are not followed.
    /// - Parameter path: the names, from the root on; none for the root.
    /// - Returns: nil where nothing is.
    /// - Throws: where a folder cannot be read.
    package func item(at path: some Sequence<[UInt8]>) throws -> TreeItem? {
        var item = root
        for name in path {
            guard let found = try item.folder?.item(named: name) else { return nil }
            item = found
        }
        return item
    }
}
