package import ValiseSecrets

/// Where a passphrase can be read from, and nothing be kept: a file, a command, a descriptor, a terminal.
package protocol KeySource {
    /// The passphrase, straight into guarded memory.
    /// - Throws: ``KeyStorageError`` of the kind `source`; whatever the checkpoint of the source throws.
    func read() throws -> SecretBytes
}
