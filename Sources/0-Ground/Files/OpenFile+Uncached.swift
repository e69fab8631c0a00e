import CValisePlatform
import Synchronization
import SystemPackage

extension OpenFile {
    /// What passes the cache has an address, a size and a place that are multiples of this.
    static let uncachedAlignment = 4096

    /// From here on writes pass the system's cache where the file system allows it; what is not aligned goes through it.
    ///
    /// For a new file of large pieces, best in `TransferBuffer`: it costs no copy, and fills no memory with what nobody
    /// reads soon. Where the file begins is not asked any more: what is written without a place follows what was written
    /// so.
    package mutating func passCache() {
        // A pipe would be opened a second time, and knows no places.
        guard uncached == nil, (try? attributes().kind) == .regular else { return }
        let second = valise_open_uncached(descriptor.rawValue)
        if second >= 0 { uncached = FileDescriptor(rawValue: second) }
    }

    /// Gives an empty file the size that it is going to have and the blocks for it, where the file system can.
    /// - Throws: ``FileError``: `noSpace`.
    package borrowing func reserve(_ size: Int64) throws(FileError) {
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
    package borrowing func dropCache() {
        valise_drop_cache(descriptor.rawValue)
    }

    /// Reads up to the buffer's size from `offset`, past the cache as writing does; 0 at the end of the file.
    /// - Throws: ``FileError``.
    borrowing func readPassingCache(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FileError) -> Int {
        let buffer = try unsafe allowed(buffer)
        var count = 0
        try Self.attempt("read", path) {
            count = try unsafe passing(UnsafeRawBufferPointer(buffer), at: offset) { descriptor, size in
                try unsafe descriptor.read(
                    fromAbsoluteOffset: offset,
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]))
            }
        }
        return count
    }

    /// Writes some of a piece, past the cache as far as it is aligned; through the cache where the file system refuses.
    func writePassing(_ piece: UnsafeRawBufferPointer, at offset: Int64) throws -> Int {
        try unsafe passing(piece, at: offset) { descriptor, size in
            try unsafe descriptor.write(
                toAbsoluteOffset: offset, UnsafeRawBufferPointer(rebasing: piece[..<size]))
        }
    }

    /// Calls `body` with the descriptor for a piece and with how much of it goes through that.
    private func passing(
        _ piece: UnsafeRawBufferPointer, at offset: Int64, _ body: (FileDescriptor, Int) throws -> Int
    ) throws -> Int {
        let begin = Int(bitPattern: piece.baseAddress) | Int(truncatingIfNeeded: offset)
        let aligned = piece.count - piece.count % Self.uncachedAlignment
        let isAligned = aligned > 0 && begin % Self.uncachedAlignment == 0
        if let uncached, isAligned, isUncached.load(ordering: .relaxed) {
            do {
                return try body(uncached, aligned)
            } catch Errno.invalidArgument {
                // Other sizes are wanted, or none of this.
                isUncached.store(false, ordering: .relaxed)
            }
        }
        return try body(descriptor, piece.count)
    }
}
