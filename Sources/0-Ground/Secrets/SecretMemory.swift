import CValiseSodium

/// Memory that held secrets and is not libsodium's own.
package enum SecretMemory {
    /// Overwrites memory in a way that no optimizer leaves out.
    package static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        unsafe sodium_memzero(start, memory.count)
    }
}
