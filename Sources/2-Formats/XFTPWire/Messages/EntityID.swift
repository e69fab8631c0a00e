/// The name of a chunk on its relay: one for its sender, one for each recipient. 1 to 255 bytes, which mean nothing.
public struct EntityID: Hashable, Sendable {
    public let bytes: [UInt8]

    /// - Returns: nil for none or more than 255 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard (1...255).contains(bytes.count) else { return nil }
        self.bytes = Array(bytes)
    }
}
