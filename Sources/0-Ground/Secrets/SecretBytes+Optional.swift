extension Optional where Wrapped: ~Copyable, Wrapped == SecretBytes {
    /// A second copy in guarded memory of its own; nil of nil.
    /// - Throws: ``SecretsError`` when no guarded memory is available.
    package borrowing func duplicate() throws -> SecretBytes? {
        switch self {
        case .some(let secret): try secret.duplicate()
        case .none: nil
        }
    }
}
