/// The list of pages that hold nothing.
package enum FreePages {
    /// Claims all pages of the list, as far as it holds together.
    ///
    /// - Returns: false where the list could not be followed to its end.
    /// - Throws: errors of the source.
    package static func claim(
        from first: UInt32, in source: any PageSource, _ claims: PageClaims
    ) throws -> Bool {
        var trunk = first
        while trunk != 0 {
            guard claims.claim(trunk, as: .free), let page = try source.page(trunk) else { return false }
            let bytes = PageBytes(bytes: page)
            guard let next = bytes.number32(0), let count = bytes.number32(4) else { return false }
            for index in 0..<min(Int(count), page.count / 4 - 2) {
                if let leaf = bytes.number32(8 + 4 * index) { _ = claims.claim(leaf, as: .free) }
            }
            trunk = next
        }
        return true
    }
}
