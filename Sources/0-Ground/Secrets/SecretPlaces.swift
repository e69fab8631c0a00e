import CValiseSodium
import Synchronization
import ValiseFailures

/// Places for secrets of one size, many to each piece of guarded memory: a piece of its own would take several pages for
/// every secret, and two calls of the system to make.
package final class SecretPlaces: Sendable {
    private let free = Mutex<[SecretPlace]>([])
    private let byteCount: Int
    private let capacity: Int

    /// - Parameters:
    ///   - byteCount: of a place. Places are aligned to 64 bytes when it is a multiple of that.
    ///   - capacity: how many places share guarded memory.
    package init(byteCount: Int, capacity: Int) {
        self.byteCount = byteCount
        self.capacity = capacity
    }

    /// A place with zeros, the caller's until ``release(_:)``.
    /// - Throws: ``SecretsError`` when no guarded memory is available.
    package func take() throws -> SecretPlace {
        try free.withLock { free in
            if let place = free.popLast() { return place }
            let slab = try SecretSlab(byteCount: byteCount * capacity)
            free = (1..<capacity).map { place(in: slab, at: $0) }
            return place(in: slab, at: 0)
        }
    }

    /// Wipes the place, for others.
    package func release(_ place: SecretPlace) {
        unsafe sodium_memzero(place.bytes.baseAddress!, place.bytes.count)
        free.withLock { $0.append(place) }
    }

    private func place(in slab: SecretSlab, at index: Int) -> SecretPlace {
        SecretPlace(slab: slab, offset: index * byteCount, count: byteCount)
    }
}

/// A part of guarded memory. It belongs to one owner at a time, who says which threads may use it.
package struct SecretPlace: Sendable {
    fileprivate let slab: SecretSlab
    fileprivate let offset: Int
    fileprivate let count: Int

    /// The memory of the place, as long as it is the owner's.
    package var bytes: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: slab.start + offset, count: count)
    }
}

/// One piece of guarded memory, with zeros at first.
@safe private final class SecretSlab: @unchecked Sendable {
    // Unchecked: the address never changes, and the memory lives as long as this object, which each place keeps. A place has
    // one owner at a time: ``SecretPlaces`` lends it under its lock.
    let start: UnsafeMutableRawPointer

    init(byteCount: Int) throws {
        guard sodium_init() >= 0 else { throw SecretsError(.failed, "cannot initialize libsodium") }
        guard let start = unsafe sodium_malloc(byteCount) else {
            throw SecretsError(.failed, "cannot allocate locked memory for more keys")
        }
        unsafe sodium_memzero(start, byteCount)
        unsafe self.start = unsafe start
    }

    deinit { unsafe sodium_free(start) }
}
