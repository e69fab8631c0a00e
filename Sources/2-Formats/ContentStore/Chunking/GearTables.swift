/// What each byte adds to the hash that finds cuts: as it is, and shifted by one for the first byte of a pair.
@safe struct GearTables: @unchecked Sendable {
    // Unchecked: it is written before it is seen, lives as long as the program, and changes never again.
    private let memory: UnsafeMutablePointer<UInt64>

    /// The ones of the format, without a seed.
    static let standard = GearTables()

    private static let count = 256

    private init() {
        unsafe memory = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * Self.count)
        for (place, value) in Self.constants.enumerated() {
            unsafe (memory + place).initialize(to: value)
            unsafe (memory + Self.count + place).initialize(to: value << 1)
        }
    }

    /// For the second byte of a pair.
    @inline(__always)
    var plain: UnsafePointer<UInt64> { unsafe UnsafePointer(memory) }

    /// For the first byte of a pair.
    @inline(__always)
    var shifted: UnsafePointer<UInt64> { unsafe UnsafePointer(memory + Self.count) }
}
