import ValiseTransfers

extension RelayNetwork {
    /// Runs work with these connections, and closes them whatever comes of it.
    func closing<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        do {
            let value = try await work()
            await close()
            return value
        } catch {
            await close()
            throw error
        }
    }
}
