import CValisePostgres
import ValiseEncoding
import ValiseFailures

/// The values of one statement in their binary form, one behind the other.
struct ParameterEncoder {
    private(set) var types: [UInt32] = []
    private var sizes: [Int32] = []
    private var bytes: [UInt8] = []

    /// The protocol counts them with 16 bits.
    private static let most = Int(UInt16.max)
    /// The server takes no message above 1 GiB.
    private static let mostBytes = 1 << 29

    /// - Throws: ``PostgresError``: `invalid` for more than a statement can have.
    init(_ parameters: [PostgresParameter]) throws(PostgresError) {
        guard parameters.count <= Self.most else {
            throw PostgresError(.general, .invalid, "a statement has more than \(Self.most) values")
        }
        for parameter in parameters {
            types.append(parameter.type.rawValue)
            let start = bytes.count
            let isNull = !append(parameter)
            guard bytes.count <= Self.mostBytes else {
                throw PostgresError(
                    .general, .invalid,
                    "the values of a statement exceed \(Count.bytes(Int64(Self.mostBytes)))")
            }
            sizes.append(isNull ? -1 : Int32(bytes.count - start))
        }
    }

    /// - Returns: false for null.
    private mutating func append(_ parameter: PostgresParameter) -> Bool {
        switch parameter {
        case .integer(nil), .shortInteger(nil), .boolean(nil), .text(nil), .bytes(nil): return false
        case .integer(let value?): bytes.append(bigEndian: UInt64(bitPattern: value))
        case .shortInteger(let value?): bytes.append(bigEndian: UInt32(bitPattern: value))
        case .boolean(let value?): bytes.append(value ? 1 : 0)
        case .text(let value?): bytes += value.utf8
        case .bytes(let value?): bytes += value
        case .integers(let values):
            appendArray(values, of: .bigint, size: { _ in 8 }) {
                $0.append(bigEndian: UInt64(bitPattern: $1))
            }
        case .texts(let values): appendArray(values, of: .text, size: \.utf8.count) { $0 += $1.utf8 }
        case .byteStrings(let values): appendArray(values, of: .bytea, size: \.count) { $0 += $1 }
        }
        return true
    }

    /// Dimensions, whether there are nulls, the type; of each dimension its size and its first index; each value with its size.
    private mutating func appendArray<Element>(
        _ values: [Element], of type: PostgresType, size: (Element) -> Int,
        _ append: (inout [UInt8], Element) -> Void
    ) {
        bytes.append(bigEndian: UInt32(values.isEmpty ? 0 : 1))
        bytes.append(bigEndian: UInt32(0))
        bytes.append(bigEndian: type.rawValue)
        if values.isEmpty { return }
        bytes.append(bigEndian: UInt32(clamping: values.count))
        bytes.append(bigEndian: UInt32(1))
        for value in values {
            bytes.append(bigEndian: UInt32(clamping: size(value)))
            append(&bytes, value)
        }
    }

    /// Lends them in the form that libpq is called with.
    func withValues(_ body: (UnsafePointer<valise_postgres_values>) -> Bool) -> Bool {
        unsafe types.withUnsafeBufferPointer { types in
            unsafe sizes.withUnsafeBufferPointer { sizes in
                unsafe bytes.withUnsafeBufferPointer { bytes in
                    var values = unsafe valise_postgres_values(
                        count: Int32(types.count), types: types.baseAddress, sizes: sizes.baseAddress,
                        bytes: bytes.baseAddress, size: bytes.count)
                    return unsafe body(&values)
                }
            }
        }
    }
}
