/// How much of bt-encoding is read: what a stranger wrote may be anything.
package struct BencodeLimits: Sendable {
    /// How many lists and dictionaries may be within one another.
    package let depth: Int
    /// How many values there may be in all, with lists and dictionaries.
    package let values: Int
    /// The longest document, in bytes.
    package let size: Int

    /// What libsession writes has a few levels, and some kilobytes.
    package init(depth: Int = 32, values: Int = 200_000, size: Int = 16 << 20) {
        // The reader calls itself for each level.
        self.depth = min(depth, 200)
        self.values = values
        self.size = size
    }
}
