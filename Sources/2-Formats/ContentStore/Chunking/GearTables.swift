/// What each byte adds to the hash that finds cuts, without a seed.
enum GearTables {
    /// For the second byte of a pair.
    static let second = constants

    /// For the first byte of a pair: shifted by one.
    static let first = constants.map { $0 << 1 }
}
