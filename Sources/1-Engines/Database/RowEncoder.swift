import CValiseSQLCipher
import ValiseSecrets

/// Writes values as bytes from which they can be told again, whatever they are: a byte for the kind, then the value.
///
/// | kind | bytes |
/// |---|---|
/// | NULL | 0 |
/// | integer | 1, 8 bytes, big-endian |
/// | real | 2, its 8 bytes as IEEE 754 has them, big-endian |
/// | text | 3, length in 8 bytes, big-endian, its bytes as they are stored |
/// | blob | 4, the same |
@safe package final class RowEncoder {
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
    private var used = 0
    private let sink: (UnsafeRawBufferPointer) -> Void

    /// How many bytes there were so far.
    package private(set) var count: Int64 = 0

    private static let capacity = 1 << 16
    private static let largestHead = 9

    /// - Parameter sink: gets the bytes in runs of any length, which it may not keep.
    package init(_ sink: @escaping (UnsafeRawBufferPointer) -> Void) {
        unsafe self.sink = unsafe sink
    }

    deinit {
        // Messages and keys went through it.
        unsafe SecretMemory.wipe(buffer)
        unsafe buffer.deallocate()
    }

    /// The first columns of the current row of a statement, without a copy of long values.
    package func append(_ row: borrowing Statement, columns: Int) {
        for column in 0..<Int32(columns) {
            switch unsafe sqlite3_column_type(row.handle, column) {
            case SQLITE_INTEGER: unsafe append(sqlite3_column_int64(row.handle, column))
            case SQLITE_FLOAT: unsafe append(kind: 2, sqlite3_column_double(row.handle, column).bitPattern)
            case SQLITE_TEXT: unsafe append(kind: 3, bytes: row.bytes(column))
            case SQLITE_BLOB: unsafe append(kind: 4, bytes: row.bytes(column))
            default:
                makeSpace()
                unsafe buffer[used] = 0
                used += 1
            }
        }
    }

    /// An integer.
    package func append(_ number: Int64) { append(kind: 1, UInt64(bitPattern: number)) }

    /// A text.
    package func append(_ text: String) {
        unsafe Array(text.utf8).withUnsafeBytes { unsafe append(kind: 3, bytes: $0) }
    }

    /// A blob.
    package func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe append(kind: 4, bytes: $0) }
    }

    /// Gives the rest to the sink.
    package func flush() {
        guard used > 0 else { return }
        unsafe sink(UnsafeRawBufferPointer(rebasing: buffer[..<used]))
        count += Int64(used)
        used = 0
    }

    private func append(kind: UInt8, bytes: UnsafeRawBufferPointer) {
        append(kind: kind, UInt64(bytes.count))
        if unsafe bytes.count <= buffer.count - used {
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[used..<used + bytes.count]).copyMemory(
                from: bytes)
            used += bytes.count
        } else {
            flush()
            unsafe sink(bytes)
            count += Int64(bytes.count)
        }
    }

    private func append(kind: UInt8, _ number: UInt64) {
        makeSpace()
        unsafe buffer[used] = kind
        unsafe buffer.storeBytes(of: number.bigEndian, toByteOffset: used + 1, as: UInt64.self)
        used += Self.largestHead
    }

    private func makeSpace() {
        if unsafe buffer.count - used < Self.largestHead { flush() }
    }
}
