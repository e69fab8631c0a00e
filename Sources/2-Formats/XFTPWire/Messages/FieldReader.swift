import ValiseEncoding
import ValiseFailures

/// Reads the fields of messages in order and never past their end (XFTP fact sheet, §4.1).
struct FieldReader {
    private var reader: ByteReader

    /// - Parameter bytes: the whole message.
    init(_ bytes: [UInt8]) {
        reader = ByteReader(bytes)
    }

    /// Whether nothing is left.
    var isAtEnd: Bool { reader.remaining == 0 }

    /// The next `count` bytes, which have no length of their own.
    mutating func bytes(_ count: Int) throws(XFTPWireError) -> [UInt8] {
        do {
            return Array(try reader.take(count))
        } catch {
            throw .truncated
        }
    }

    /// One character.
    mutating func byte() throws(XFTPWireError) -> UInt8 { try bytes(1)[0] }

    /// A number of 16 or 32 bits.
    mutating func number<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type = Value.self
    ) throws(XFTPWireError) -> Value {
        do {
            return try reader.bigEndian(type)
        } catch {
            throw .truncated
        }
    }

    /// Up to 255 bytes behind their length.
    mutating func short() throws(XFTPWireError) -> [UInt8] { try bytes(Int(byte())) }

    /// Up to 65,535 bytes behind their length.
    mutating func long() throws(XFTPWireError) -> [UInt8] { try bytes(Int(number(UInt16.self))) }

    /// At least one element behind their count.
    mutating func list<Element>(
        _ element: (inout FieldReader) throws(XFTPWireError) -> Element
    ) throws(XFTPWireError) -> [Element] {
        let count = try byte()
        guard count > 0 else { throw XFTPWireError(.damaged, "empty list") }
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try element(&self)) }
        return elements
    }

    /// A value that may be missing.
    mutating func optional<Value>(
        _ value: (inout FieldReader) throws(XFTPWireError) -> Value
    ) throws(XFTPWireError) -> Value? {
        switch try byte() {
        case UInt8(ascii: "0"): return nil
        case UInt8(ascii: "1"): return try value(&self)
        default: throw XFTPWireError(.damaged, "neither a value nor the marker for none")
        }
    }

    /// A public key behind its length.
    mutating func key() throws(XFTPWireError) -> PublicKey { try PublicKey(spki: short()) }

    /// A name behind its length.
    mutating func entity() throws(XFTPWireError) -> EntityID {
        guard let entity = EntityID(try short()) else { throw XFTPWireError(.damaged, "empty entity ID") }
        return entity
    }

    /// All that is left.
    mutating func rest() throws(XFTPWireError) -> [UInt8] { try bytes(reader.remaining) }

    /// - Throws: when something is left.
    func end() throws(XFTPWireError) {
        guard isAtEnd else {
            throw XFTPWireError(
                .damaged, "\(Count.text(reader.remaining, "extra byte")) after the end of a message")
        }
    }
}

extension XFTPWireError {
    static let truncated = XFTPWireError(.damaged, "truncated message")
}
