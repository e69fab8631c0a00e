extension [UInt8] {
    /// Appends a number, the least significant byte first.
    mutating func append(_ value: some FixedWidthInteger, width: Int) {
        for index in 0..<width { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    /// A number of `width` bytes; nil where they are not there.
    func number(_ offset: Int, width: Int) -> Int? {
        guard offset >= 0, width <= count - offset else { return nil }
        return (0..<width).reduce(0) { $0 | Int(self[offset + $1]) << (8 * $1) }
    }

    /// As many bytes as there are of a stretch.
    func part(_ offset: Int, _ count: Int) -> [UInt8] {
        guard offset >= 0, offset < self.count else { return [] }
        return Array(self[offset..<Swift.min(self.count, offset + Swift.max(0, count))])
    }
}
