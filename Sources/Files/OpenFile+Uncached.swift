import CPlatform
import Synchronization
import SystemPackage

extension OpenFile {
    /// What is written past the cache has an address, a size and a place that are multiples of this.
    static let uncachedAlignment = 4096

    /// From here on writes pass the system's cache where the file system allows it; what is not aligned goes through it.
    ///
    /// For a new file of large pieces, best in ``TransferBuffer``: it costs no copy, and fills no memory with what nobody
    /// reads soon. Where the file begins is not asked any more: what is written without a place follows what was written
    /// so.
    public mutating func passCache() {
        guard uncached == nil else { return }
        let second = valise_open_uncached(descriptor.rawValue)
        if second >= 0 { uncached = FileDescriptor(rawValue: second) }
    }

    /// Gives an empty file the size that it is going to have and the blocks for it, where the file system can.
    /// - Throws: ``FileError``: `noSpace`.
    public borrowing func reserve(_ size: Int64) throws(FileError) {
        if case .fail(let errno) = interposer?.verdict(on: .write(path, count: 0)) {
            throw FileError(cannot: "write", path, errno)
        }
        guard size > 0, valise_reserve(descriptor.rawValue, size) != 0 else { return }
        let errno = Errno.current
        guard [.notSupported, .noFunction, .invalidArgument].contains(errno) else {
            throw FileError(cannot: "write", path, errno)
        }
    }

    /// Lets go of what the system's cache has of this file, so that what is read next comes from the medium. What is
    /// not flushed stays in the cache.
    public borrowing func dropCache() {
        valise_drop_cache(descriptor.rawValue)
    }

    /// Writes some of a piece, past the cache as far as it is aligned; through the cache where the file system refuses.
    func writePassing(_ piece: UnsafeRawBufferPointer, at offset: Int64) throws -> Int {
        let begin = Int(bitPattern: piece.baseAddress) | Int(truncatingIfNeeded: offset)
        let aligned = piece.count - piece.count % Self.uncachedAlignment
        if let uncached, aligned > 0, begin % Self.uncachedAlignment == 0, isUncached.load(ordering: .relaxed)
        {
            do {
                return try uncached.write(
                    toAbsoluteOffset: offset, UnsafeRawBufferPointer(rebasing: piece[..<aligned]))
            } catch Errno.invalidArgument {
                // Other sizes are wanted, or none of this.
                isUncached.store(false, ordering: .relaxed)
            }
        }
        return try descriptor.write(toAbsoluteOffset: offset, piece)
    }
}
