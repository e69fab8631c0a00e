/// Editors, terminals and `echo` end a line; that break is no part of the passphrase.
package enum PassphraseLine {
    /// How many of the first `count` bytes are left without a line break at the end.
    package static func withoutBreak(_ memory: UnsafeMutableRawBufferPointer, _ count: Int) -> Int {
        var count = count
        if count > 0, unsafe memory[count - 1] == UInt8(ascii: "\n") {
            count -= 1
            if count > 0, unsafe memory[count - 1] == UInt8(ascii: "\r") { count -= 1 }
        }
        return count
    }
}
