/// The name of a chunk on its relay: one for its sender, one for each recipient. 1 to 255 bytes, which mean nothing.
package struct EntityID: Hashable, Sendable {
    package let bytes: [UInt8]

    /// - Returns: nil for none or more than 255 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard (1...255).contains(bytes.count) else { return nil }
        self.bytes = Array(bytes)
    }
}
