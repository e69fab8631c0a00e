import SessionBuilders

/// A backup with a database that opens and its key.
enum SampleBackup {
    static let attachment = [UInt8](repeating: 0x41, count: 10_000)

    static func builder() throws -> BackupBuilder {
        BackupBuilder([
            BackupBuilder.File("database/Session.sqlite", try StoreVectors.database(0).bytes),
            BackupBuilder.File("Attachments/0a1b", attachment),
            BackupBuilder.File("Attachments/empty", []),
            BackupBuilder.File(
                "_extra/key.enc", try BackupBuilder.includedKey(try StoreVectors.keySpecification()),
                isExtra: true),
        ])
    }
}
