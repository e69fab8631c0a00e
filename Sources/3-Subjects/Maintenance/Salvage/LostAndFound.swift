import SystemPackage
import ValiseChatSchema
import ValiseDatabase
import ValiseFiles
import ValisePages
import ValiseSecrets

/// A database beside the new ones for rows that have no place in them, encrypted like them. It is not part of
/// the account, so that the account's schema stays what its program expects. Made for its first row.
final class LostAndFound {
    let path: FilePath
    private let passphrase: SecretBytes
    private let fileSystem: FileSystem
    private var target: SalvageTarget?
    private var rowStatement: PreparedStatement?
    private var valueStatement: PreparedStatement?

    /// How many rows there are.
    private(set) var count = 0

    init(_ path: FilePath, passphrase: borrowing SecretBytes, fileSystem: FileSystem) throws {
        self.path = path
        self.passphrase = try passphrase.duplicate()
        self.fileSystem = fileSystem
    }

    /// - Parameters:
    ///   - table: where it belongs; nil where that is not known.
    ///   - reason: why it is not there.
    func add(
        _ values: [RecordValue], rowID: Int64?, page: UInt32, table: String?, reason: String
    ) throws {
        try open()
        count += 1
        let id = RecordValue.integer(Int64(count))
        try rowStatement?.run([
            id, table.map { .text(Array($0.utf8)) } ?? .null, .integer(Int64(page)),
            rowID.map(RecordValue.integer) ?? .null, .text(Array(reason.utf8)),
        ])
        for (index, value) in values.enumerated() {
            try valueStatement?.run([id, .integer(Int64(index)), value])
        }
        try target?.countRow()
    }

    /// Closes the database, if there is one.
    func finish() throws {
        try target?.finish()
        rowStatement = nil
        valueStatement = nil
        target = nil
    }

    private func open() throws {
        guard target == nil else { return }
        let target = try SalvageTarget(
            path, passphrase: passphrase, autoVacuum: .none, fileSystem: fileSystem)
        try LostRowTables.create(target.connection)
        rowStatement = PreparedStatement(try LostRowTables.rowInsert(target.connection))
        valueStatement = PreparedStatement(try LostRowTables.valueInsert(target.connection))
        self.target = target
    }
}
