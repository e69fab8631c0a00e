import ValiseFailures
import ValiseSecrets

/// Reads the fields of a record.
@safe struct RecordInput {
    private let memory: UnsafeRawBufferPointer
    private var position = 0

    init(_ memory: UnsafeRawBufferPointer) { unsafe self.memory = memory }

    var isAtEnd: Bool { unsafe position == memory.count }

    mutating func bytes(_ count: Int) throws -> UnsafeRawBufferPointer {
        guard count >= 0, unsafe count <= memory.count - position else { throw Self.damage }
        defer { position += count }
        return unsafe UnsafeRawBufferPointer(rebasing: memory[position..<position + count])
    }

    mutating func number<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws -> Value {
        unsafe Value(bigEndian: try bytes(Value.bitWidth / 8).loadUnaligned(as: Value.self))
    }

    mutating func field() throws -> [UInt8] { unsafe Array(try bytes(Int(try number(UInt16.self)))) }

    mutating func text() throws -> String {
        guard let text = String(validating: try field(), as: UTF8.self) else { throw Self.damage }
        return text
    }

    mutating func seed() throws -> SecretSeed {
        try unsafe SecretSeed(copying: try bytes(SecretSeed.byteCount))
    }

    static let damage = FileTransferError(
        .other, .damaged,
        "the transfer journal has an invalid record", remedy: .startTransferOver)
}
