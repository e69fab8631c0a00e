/// Reads fields from a buffer and never past its end.
package struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    /// - Parameter bytes: what is read, from its first byte on.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        self.position = bytes.startIndex
    }

    /// - Parameter bytes: what is read, from its first byte on.
    package init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    /// How many bytes are left.
    package var remaining: Int { bytes.endIndex - position }

    /// The next `count` bytes.
    /// - Throws: ``ByteCodingError`` when fewer are left.
    package mutating func take(_ count: Int) throws(ByteCodingError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else {
            throw .truncated(wanted: count, left: remaining)
        }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Passes over `count` bytes.
    /// - Throws: ``ByteCodingError`` when fewer are left.
    package mutating func skip(_ count: Int) throws(ByteCodingError) {
        _ = try take(count)
    }

    /// The next integer of at most 64 bits, little endian.
    /// - Throws: ``ByteCodingError`` when the bytes end before it.
    package mutating func littleEndian<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type = Value.self
    ) throws(ByteCodingError) -> Value {
        try Value(truncatingIfNeeded: bigEndian(ofBytes: Value.bitWidth / 8)).byteSwapped
    }

    /// The next integer of at most 64 bits, big endian.
    /// - Throws: ``ByteCodingError`` when the bytes end before it.
    package mutating func bigEndian<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type = Value.self
    ) throws(ByteCodingError) -> Value {
        try Value(truncatingIfNeeded: bigEndian(ofBytes: Value.bitWidth / 8))
    }

    /// In a type of its own: each operation on one of the caller's costs a call.
    private mutating func bigEndian(ofBytes count: Int) throws(ByteCodingError) -> UInt64 {
        var value: UInt64 = 0
        for byte in try take(count) { value = value << 8 | UInt64(byte) }
        return value
    }
}

extension [UInt8] {
    /// Appends an integer, big endian.
    package mutating func append(bigEndian value: some FixedWidthInteger & UnsignedInteger) {
        unsafe Swift.withUnsafeBytes(of: value.bigEndian) { unsafe append(contentsOf: $0) }
    }
}
