import ValisePostgres
import ValiseXFTPWire

/// Values of rows in the terms of records.
extension PostgresRow {
    /// - Throws: ``XFTPStoreError``: `damaged` for bytes that are no name; ``PostgresError``, as those below.
    func storedID(_ column: Int) throws -> StoredID {
        guard let id = StoredID(try bytes(column)) else { throw XFTPStoreError.damagedRecord }
        return id
    }

    /// Of the kind in one column, and the bytes in the next one.
    func publicKey(_ column: Int) throws -> PublicKey {
        let bytes = try bytes(column + 1)
        guard let kind = UInt8(exactly: try integer(column)), let stored = StoredAlgorithm(rawValue: kind),
            bytes.count == stored.algorithm.byteCount
        else { throw XFTPStoreError.damagedRecord }
        return PublicKey(stored.algorithm, bytes)
    }

    func number<Number: FixedWidthInteger>(_ column: Int, _ type: Number.Type = Number.self) throws -> Number
    {
        guard let number = Number(exactly: try integer(column)) else { throw XFTPStoreError.damagedRecord }
        return number
    }

    /// The number of an upload; nil where there is none.
    func upload(_ column: Int) throws -> UInt64? { try integerIfAny(column).map { UInt64(bitPattern: $0) } }

    /// Of the number in one column, and the words of a blocked chunk in the next one.
    func chunkStatus(_ column: Int) throws -> ChunkStatus {
        switch PostgresOutcome(rawValue: try integer(column)) {
        case .done: .active
        case .blocked: .blocked(try BlockingInfo(ofRecord: try textIfAny(column + 1)))
        case .unknown: .off
        default: throw XFTPStoreError.damagedRecord
        }
    }
}

extension ChunkStatus {
    /// The columns `status` and `blocking`.
    var parameters: [PostgresParameter] {
        switch self {
        case .active: [.integer(PostgresOutcome.done.rawValue), .text(nil)]
        case .blocked(let information):
            [.integer(PostgresOutcome.blocked.rawValue), .text(information.text)]
        case .off: [.integer(PostgresOutcome.unknown.rawValue), .text(nil)]
        }
    }

    /// - Throws: ``XFTPStoreError``: unknown, blocked.
    func checkActive() throws(XFTPStoreError) {
        switch self {
        case .active: break
        case .off: throw .unknownName
        case .blocked(let information): throw .blocked(information)
        }
    }
}

extension PostgresParameter {
    static func id(_ id: StoredID) -> PostgresParameter { .bytes(id.bytes) }
    static func upload(_ number: UInt64) -> PostgresParameter { .integer(Int64(bitPattern: number)) }

    static func ids(_ ids: some Sequence<StoredID>) -> PostgresParameter { .byteStrings(ids.map(\.bytes)) }

    /// Names with the kinds and the bytes of their keys.
    static func names(_ names: [(id: StoredID, key: PublicKey)]) -> [PostgresParameter] {
        [
            .ids(names.map(\.id)),
            .integers(names.map { Int64(StoredAlgorithm($0.key.algorithm).rawValue) }),
            .byteStrings(names.map(\.key.bytes)),
        ]
    }
}
