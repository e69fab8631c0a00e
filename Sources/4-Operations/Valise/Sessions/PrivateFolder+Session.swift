import SystemPackage
import ValiseEncoding
import ValiseFiles

extension PrivateFolder {
    /// Beside the copy, in bytes.
    private static let reserve: Int64 = 64 << 20

    /// One for a copy of a database of Session, with its log.
    /// - Parameters:
    ///   - database: with its log beside it.
    ///   - isCopied: whether space is needed for it.
    ///   - places: where the folder can be.
    /// - Throws: `FileError`, `noSpace` where no place has the space.
    static func forCopy(
        of database: FilePath, isCopied: Bool = true, in places: [FilePath]
    ) throws -> PrivateFolder {
        removeLeftovers(in: places)
        let fileSystem = FileSystem()
        let suffixes = isCopied ? ["", "-wal", "-journal"] : []
        let size = try suffixes.reduce(reserve) { sum, suffix in
            let size = try fileSystem.attributes(of: database.appendingSuffix(suffix))?.size ?? 0
            // What is in the log comes into the copy too.
            return sum &+ (suffix == "-wal" ? 2 &* size : size)
        }
        if let folder = try make(size: size, in: places) { return folder }
        let last = places.last ?? "/tmp"
        throw FileError(
            .noSpace, "not enough space for \(Count.bytes(size)) that have to be copied", last,
            remedy: .freeSpace(size, in: last))
    }
}
