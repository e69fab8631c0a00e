/// Names a block of a file.
package struct BlockKey: Sendable, Hashable {
    /// Of the content of the file.
    let version: [UInt8]
    /// From 0 on.
    let number: Int64

    package init(version: [UInt8], number: Int64) {
        self.version = version
        self.number = number
    }
}
