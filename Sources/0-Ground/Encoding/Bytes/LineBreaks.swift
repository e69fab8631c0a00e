#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension [UInt8] {
    /// Whether a line ends somewhere from `start` on.
    package func hasLineBreak(from start: Int) -> Bool {
        unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, start < bytes.count else { return false }
            return [Int32(0x0A), 0x0D].contains { byte in
                unsafe memchr(base + start, byte, bytes.count - start) != nil
            }
        }
    }
}
