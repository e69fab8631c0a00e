import ValiseEncoding
import ValiseFailures

/// One side of a move as its record has it.
protocol StoredMove: Codable, Sendable {
    associatedtype State: MoveState where State.Name: FlowName

    static var side: MoveSide { get }
    var state: State { get set }
    /// Adds what only this side knows.
    func describe(_ summary: inout MoveSummary)
}

/// What all records begin with.
struct MoveHeader: Codable, Sendable {
    var version = Self.newest
    let id: String
    let side: MoveSide
    let account: MovedAccount
    /// In seconds since 1970.
    let created: Int64
    var changed: Int64

    static let newest = 1

    /// - Throws: ``DeviceMigrationError`` with `unsupported`.
    func refuseNewer() throws(DeviceMigrationError) {
        guard version > Self.newest else { return }
        throw DeviceMigrationError(
            .unsupported, "the record of this move was written by a newer version of Valise", subject: id)
    }
}

/// All that is kept of a move: JSON in a file of this user (Documentation/formats/move.md). Of the receiving side it has
/// the links, which are secret; a passphrase is never in it.
struct MoveRecord<Move: StoredMove>: Codable, Sendable {
    var header: MoveHeader
    var move: Move
}

/// The same without what only its side understands.
struct AnyMoveRecord: Decodable {
    let header: MoveHeader

    /// - Returns: nil where it cannot be read.
    static func header(of bytes: [UInt8]) -> MoveHeader? {
        try? JSONText.decode(AnyMoveRecord.self, from: bytes).header
    }
}

extension DeviceMigrationError {
    static func damagedRecord(_ id: String, cause: (any Error)? = nil) -> Self {
        Self(
            .damagedRecord,
            "cannot read the record of this move. No account was changed.", subject: id,
            cause: cause,
            remedy: .forgetMove(id))
    }
}
