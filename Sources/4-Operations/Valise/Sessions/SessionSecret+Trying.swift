import ValiseConcurrency
import ValiseSessionStore

extension SessionSecret {
    /// Runs what needs the secret of a store. The user is asked where it is needed and not given, and again where an answer is
    /// wrong.
    ///
    /// - Parameters:
    ///   - source: what is given.
    ///   - place: the store.
    ///   - context: of the operation, with the purpose of a question.
    ///   - body: gets the secret, nil where the store needs none. It may run several times: with a wrong secret it throws an error
    ///     that says so, and has changed nothing.
    /// - Throws: as the source of the passphrase; whatever `body` throws.
    static func trying<Value: Sendable>(
        _ source: PassphraseSource, on place: SessionPlace, in context: OperationContext,
        _ body: @Sendable (SessionSecret?) throws -> Value
    ) async throws -> Value {
        let needs = try await context.blocking { _ in try Self.needs(of: place) }
        guard needs != .nothing else { return try await context.blocking { _ in try body(nil) } }
        if let given = try await SessionSecret(source, for: place) {
            return try await context.blocking { _ in try body(given) }
        }
        let name = place.path.string
        let found = try await context.attempts(of: name, isOptional: false, wanted: needs.wanted) { answer in
            try await context.blocking { _ -> Value? in
                do {
                    return try body(.typed(answer))
                } catch let error as SessionStoreError where error.isOfKey {
                    return nil
                }
            }
        }
        guard let found else { throw OperationError.nobodyToAsk(for: name) }
        if let opened = found.opened { return opened }
        return try await context.blocking { _ in try body(.typed(found.key)) }
    }
}
