import ValiseSecrets

extension SharedSecret? {
    /// Lends the secret, where there is one, to what takes it for as long as it runs.
    func lent<Value>(_ body: (borrowing SecretBytes?) throws -> Value) throws -> Value {
        try body(try self?.bytes.duplicate())
    }
}
