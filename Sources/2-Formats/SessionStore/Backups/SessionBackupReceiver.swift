/// What gets the files of a backup.
protocol SessionBackupReceiver {
    /// Whether the content is decrypted; else it is passed over without being verified.
    mutating func begin(_ entry: SessionBackupEntry) throws -> Bool
    /// Some bytes of the content, in order. They are verified, and lent.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) throws
    /// The content is complete.
    /// - Parameter isRegular: whether all frames of the content but the last are full.
    mutating func end(_ entry: SessionBackupEntry, isRegular: Bool) throws
}
