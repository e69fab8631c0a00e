import CValisePostgres
import ValiseFailures

/// One answer of the server, as libpq holds it.
@safe struct PostgresAnswer: ~Copyable {
    private let result: OpaquePointer

    /// - Parameter result: what libpq gave; it is this value's from now on.
    init(_ result: OpaquePointer) { unsafe self.result = unsafe result }

    deinit { unsafe valise_postgres_clear(result) }

    var outcome: valise_postgres_outcome { unsafe valise_postgres_outcome(result) }

    /// What was done, such as `COMMIT`.
    var tag: String { unsafe Self.text(valise_postgres_tag(result)) ?? "" }

    /// What the server says of an error.
    func error(_ statement: Int?, subject: String) -> PostgresError {
        .answered(
            field("C"), field("M") ?? "no reason given", constraint: field("n"), statement: statement,
            subject: subject)
    }

    private func field(_ letter: Unicode.Scalar) -> String? {
        unsafe Self.text(valise_postgres_field(result, CChar(letter.value)))
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }

    /// All rows, which libpq has in memory already.
    /// - Throws: ``PostgresError``: `unsupported` for a column of a type that is not read here, `damaged` for a value that is none
    ///   of its type.
    func rows() throws(PostgresError) -> PostgresRows {
        let count = Int(unsafe valise_postgres_row_count(result))
        let columnCount = Int(unsafe valise_postgres_column_count(result))
        var columns: [String] = []
        var types: [PostgresType] = []
        for column in 0..<Int32(columnCount) {
            columns.append(unsafe Self.text(valise_postgres_column_name(result, column)) ?? "")
            let number = unsafe valise_postgres_column_type(result, column)
            guard let type = PostgresType(rawValue: number), type.isRead,
                unsafe valise_postgres_column_is_binary(result, column)
            else {
                throw PostgresError(
                    .general, .unsupported,
                    "column \(PostgresError.line(columns[Int(column)])) of an answer of the database has type \(number), "
                        + "which is not supported")
            }
            types.append(type)
        }
        var values: [PostgresValue] = []
        values.reserveCapacity(count * columnCount)
        for row in 0..<Int32(count) {
            for (column, type) in types.enumerated() {
                values.append(try value(row, Int32(column), type))
            }
        }
        let affected = unsafe Self.text(valise_postgres_affected(result)).flatMap { Int($0) } ?? 0
        return PostgresRows(columns: columns, affected: affected, tag: tag, values: values, count: count)
    }

    private func value(_ row: Int32, _ column: Int32, _ type: PostgresType) throws(PostgresError)
        -> PostgresValue
    {
        var start: UnsafePointer<UInt8>?
        var size = 0
        guard unsafe valise_postgres_value(result, row, column, &start, &size) else { return .null }
        let bytes = unsafe UnsafeBufferPointer(start: start, count: size)
        guard let value = unsafe type.value(bytes) else {
            throw PostgresError(.general, .damaged, "a value in an answer of the database is not of its type")
        }
        return value
    }
}

extension PostgresType {
    /// Whether columns may have it.
    var isRead: Bool {
        switch self {
        case .textArray, .byteaArray, .bigintArray: false
        default: true
        }
    }

    /// - Returns: nil for bytes that are no value of this type.
    fileprivate func value(_ bytes: UnsafeBufferPointer<UInt8>) -> PostgresValue? {
        switch self {
        case .boolean:
            guard bytes.count == 1, let byte = unsafe bytes.first, byte <= 1 else { return nil }
            return .boolean(byte == 1)
        case .smallint: return unsafe Self.integer(bytes, Int16.self)
        case .integer: return unsafe Self.integer(bytes, Int32.self)
        case .bigint: return unsafe Self.integer(bytes, Int64.self)
        case .object: return unsafe Self.integer(bytes, UInt32.self)
        case .bytea: return unsafe .bytes(Array(bytes))
        case .text, .fixedText, .limitedText, .name, .character:
            return unsafe String(validating: bytes, as: UTF8.self).map(PostgresValue.text)
        case .void: return .null
        case .textArray, .byteaArray, .bigintArray: return nil
        }
    }

    private static func integer<Number: FixedWidthInteger>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ type: Number.Type
    ) -> PostgresValue? {
        guard bytes.count == MemoryLayout<Number>.size else { return nil }
        let number = unsafe bytes.reduce(Number(0)) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        return Int64(exactly: number).map(PostgresValue.integer)
    }
}
