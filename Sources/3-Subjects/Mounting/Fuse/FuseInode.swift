import ValiseEncoding

/// Numbers by which the kernel names what is in a tree: the same each time for as long as the program runs, without a table of
/// all that there is.
enum FuseInode {
    static let root: UInt64 = 1

    /// The number of an entry of a folder. Two entries may have the same one, which nobody can bring about: the hash has a
    /// random key.
    static func number(of name: [UInt8], in folder: UInt64) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(folder)
        hasher.combine(name)
        // Some programs take a sign for an error.
        return max(UInt64(UInt(bitPattern: hasher.finalize()) & .max >> 1), root + 1)
    }
}
