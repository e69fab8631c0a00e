/// Where the bytes of an archive go, front to back.
protocol ZipOutput: AnyObject {
    /// Takes the bytes; they may be reused when this returns.
    /// - Throws: an error of this or an earlier write.
    func write(_ bytes: UnsafeRawBufferPointer) throws

    /// Lets up to so many bytes be filled in where they are written from.
    ///
    /// - Parameter fill: has to fill all of the buffer.
    /// - Returns: how many these were.
    /// - Throws: an error of an earlier write; what `fill` throws, and nothing is taken then.
    func write(upTo count: Int64, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws -> Int

    /// Sees to it that the next bytes can be taken back, where that is possible at all.
    func mark(beforeBytes count: Int64) -> ZipOutputMark

    /// Takes back what came since; false where some of it has gone on.
    func undo(to mark: ZipOutputMark) -> Bool

    /// Writes what is left, and makes it durable where that means something.
    /// - Returns: how many bytes were written.
    /// - Throws: an error of any write.
    func finish() throws -> Int64
}

/// Where in what was gathered the next byte comes to lie.
struct ZipOutputMark {
    /// How many buffers have gone on.
    let sent: Int
    /// How many bytes are in the one that is being filled.
    let count: Int
}
