#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Looks for bytes in bytes.
package enum ByteSearch {
    /// Whether the bytes contain these, which are not none.
    package static func contains(_ bytes: UnsafeRawBufferPointer, _ wanted: [UInt8]) -> Bool {
        guard var place = bytes.baseAddress, let first = wanted.first else { return false }
        var left = bytes.count - wanted.count + 1
        while left > 0, let found = unsafe memchr(place, Int32(first), left) {
            if unsafe memcmp(found, wanted, wanted.count) == 0 { return true }
            left -= unsafe UnsafeRawPointer(found) - place + 1
            unsafe place = UnsafeRawPointer(found) + 1
        }
        return false
    }

    /// The same, with letters of ASCII in any case.
    /// - Parameter wanted: in small letters.
    package static func containsInAnyCase(_ bytes: UnsafeRawBufferPointer, _ wanted: [UInt8]) -> Bool {
        guard bytes.count >= wanted.count, let first = wanted.first else { return false }
        let upper = (0x61...0x7A).contains(first) ? first & 0xDF : first
        var place = 0
        let end = bytes.count - wanted.count
        while place <= end {
            let byte = unsafe bytes[place]
            if byte == first || byte == upper, unsafe isInAnyCase(wanted, bytes, at: place) { return true }
            place += 1
        }
        return false
    }

    /// Whether these are in the bytes at a place, with letters of ASCII in any case.
    /// - Parameter wanted: in small letters.
    package static func isInAnyCase(
        _ wanted: [UInt8], _ bytes: UnsafeRawBufferPointer, at place: Int
    ) -> Bool {
        guard place + wanted.count <= bytes.count else { return false }
        for index in 0..<wanted.count {
            let byte = unsafe bytes[place + index]
            let folded = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            guard folded == wanted[index] else { return false }
        }
        return true
    }
}
