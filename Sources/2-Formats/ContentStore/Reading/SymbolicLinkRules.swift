/// Which symbolic links of a store are made: those that stay in the folder that the store is restored to.
package enum SymbolicLinkRules {
    /// Checks the target of a symbolic link.
    ///
    /// - Parameters:
    ///   - target: as the store has it.
    ///   - path: of the link in the store.
    /// - Throws: ``ContentStoreError``: `unsupported` for a target that is absolute, leads out of the folder of the store, or has
    ///   to do with Git's folder.
    package static func check(_ target: String, at path: StorePath) throws(ContentStoreError) {
        if let fault = fault(target, at: path) {
            throw ContentStoreError(
                .unsupported, "the symbolic link is not made: its target \(fault)", path.text)
        }
    }

    private static func fault(_ target: String, at path: StorePath) -> String? {
        // By bytes: a combining mark behind a slash does not hide it.
        let components = target.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if target.utf8.first == UInt8(ascii: "/") { return "is absolute" }
        if target.utf8.contains(UInt8(ascii: "\\")) || target.utf8.contains(0) {
            return "contains a character that it may not"
        }
        let steps = components.filter { !$0.isEmpty && !$0.elementsEqual(".".utf8) }
        let upward = steps.prefix { $0.elementsEqual("..".utf8) }.count
        // What follows a name could follow a link: only upward steps at the start lead where they seem to.
        if upward > path.ancestors.count
            || steps.dropFirst(upward).contains(where: { $0.elementsEqual("..".utf8) })
        {
            return "leads out of the folder of the store, or may do so through another link"
        }
        let all = path.components + components.map { Substring($0) }
        return all.contains { $0.lowercased() == ".git" } ? "has to do with the folder of Git" : nil
    }
}
