import CValiseSQLCipher
import ValiseFailures
import ValiseSecrets

/// A prepared statement. It is finalized when it goes out of scope, and keeps its connection open until then.
@safe package struct Statement: ~Copyable {
    let handle: OpaquePointer
    private let connection: OpaquePointer
    private let file: String

    /// SQLite copies the bytes before the bind returns.
    private static let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(handle: OpaquePointer, connection: OpaquePointer, file: String) {
        unsafe self.handle = unsafe handle
        unsafe self.connection = unsafe connection
        self.file = file
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// How many columns a row has.
    package var columnCount: Int { unsafe Int(sqlite3_column_count(handle)) }

    /// The name of a column, as the statement gives it.
    package borrowing func columnName(_ index: Int) -> String {
        unsafe sqlite3_column_name(handle, Int32(index)).map { unsafe String(cString: $0) } ?? ""
    }

    /// Whether SQLite itself is sure that running it changes no database.
    var isReading: Bool { unsafe sqlite3_stmt_readonly(handle) != 0 }

    /// Starts over with other values for the parameters.
    /// - Throws: ``DatabaseError`` when the number of values is not the number of parameters.
    package borrowing func bind(_ values: [Value]) throws(DatabaseError) {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
        guard unsafe values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw DatabaseError(.invalid, "wrong number of values for a statement", file: file)
        }
        for (index, value) in values.enumerated() {
            let result = bind(value, at: Int32(index + 1))
            guard result == SQLITE_OK else { throw failure(result, "cannot bind a value") }
        }
    }

    /// Binds text by its bytes, whatever they are: a `String` would repair what is not UTF-8.
    ///
    /// - Parameters:
    ///   - text: in UTF-8.
    ///   - index: of the parameter, from 0.
    /// - Throws: ``DatabaseError``.
    package borrowing func bind(text: [UInt8], at index: Int) throws(DatabaseError) {
        let length = Int32(clamping: text.count)
        // No bytes have no address, which SQLite would take for NULL.
        let result = unsafe (text.isEmpty ? [0] : text).withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) {
                unsafe sqlite3_bind_text(handle, Int32(index + 1), $0.baseAddress, length, Self.copied)
            }
        }
        guard result == SQLITE_OK else { throw failure(result, "cannot bind a value") }
    }

    /// Binds bytes that are only lent: they must stay until the statement is run, and SQLite makes no copy of them.
    ///
    /// - Parameters:
    ///   - bytes: must stay where they are until the statement is reset.
    ///   - index: of the parameter, from 0.
    /// - Throws: ``DatabaseError``.
    package borrowing func bind(lending bytes: UnsafeRawBufferPointer, at index: Int) throws(DatabaseError) {
        let result = unsafe sqlite3_bind_blob64(
            handle, Int32(index + 1), bytes.baseAddress, UInt64(bytes.count), nil)
        guard result == SQLITE_OK else { throw failure(result, "cannot bind a value") }
    }

    /// Takes all values away from the parameters, and makes ready for another run.
    package borrowing func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    private borrowing func bind(_ value: Value, at index: Int32) -> Int32 {
        switch value {
        case .null: return unsafe sqlite3_bind_null(handle, index)
        case .integer(let number): return unsafe sqlite3_bind_int64(handle, index, number)
        case .real(let number): return unsafe sqlite3_bind_double(handle, index, number)
        case .text(let text):
            // With its length, so that a NUL inside of the text does not end it.
            return unsafe sqlite3_bind_text(handle, index, text, Int32(text.utf8.count), Self.copied)
        case .blob(let bytes):
            if bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(handle, index, 0) }
            return unsafe sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), Self.copied)
        }
    }

    /// Runs to the end with a secret as the second of two parameters: it is lent, SQLite makes no copy of it.
    /// - Throws: ``DatabaseError``.
    borrowing func run(
        _ first: Value, lending secret: borrowing SecretBytes
    ) throws(DatabaseError) {
        unsafe sqlite3_reset(handle)
        var result = bind(first, at: 1)
        if result == SQLITE_OK {
            result = unsafe secret.withBytes { bytes in
                let bound =
                    unsafe bytes.isEmpty
                    ? sqlite3_bind_text(handle, 2, "", 0, Self.copied)
                    : sqlite3_bind_blob(handle, 2, bytes.baseAddress, Int32(bytes.count), nil)
                let stepped = unsafe bound == SQLITE_OK ? sqlite3_step(handle) : bound
                unsafe sqlite3_clear_bindings(handle)
                return stepped
            }
        }
        guard result == SQLITE_DONE else { throw failure(result, "cannot open the database") }
    }

    /// Goes to the next row.
    /// - Returns: false at the end.
    /// - Throws: ``DatabaseError``.
    package borrowing func step() throws(DatabaseError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let result: throw failure(result, "cannot run a statement")
        }
    }

    /// Runs to the end, passing over rows.
    /// - Throws: ``DatabaseError``.
    package borrowing func run(_ values: [Value] = []) throws(DatabaseError) {
        try bind(values)
        while try step() {}
    }

    /// A value of the current row.
    package borrowing func value(_ index: Int) -> Value { unsafe Self.value(of: handle, index) }

    static func value(of handle: OpaquePointer?, _ index: Int) -> Value {
        let column = Int32(index)
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return unsafe .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return unsafe .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: return unsafe .text(String(decoding: bytes(of: handle, column), as: UTF8.self))
        case SQLITE_BLOB: return unsafe .blob(Array(bytes(of: handle, column)))
        default: return .null
        }
    }

    /// Lends the bytes of a blob or text of the current row, without a copy; none for NULL.
    package borrowing func withBytes<Result>(
        _ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try unsafe body(bytes(Int32(index)))
    }

    borrowing func bytes(_ column: Int32) -> UnsafeRawBufferPointer { unsafe Self.bytes(of: handle, column) }

    static func bytes(of handle: OpaquePointer?, _ column: Int32) -> UnsafeRawBufferPointer {
        let start = unsafe sqlite3_column_blob(handle, column)
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    private borrowing func failure(_ result: Int32, _ activity: String) -> DatabaseError {
        unsafe DatabaseError(sqlite: result, connection, file: file, activity: activity)
    }
}
