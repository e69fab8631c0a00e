package import ValiseXFTPWire

/// How fast a relay answers. Nothing is stored on it.
package struct RelayProbe: Sendable, Equatable {
    /// Until the connection was up: TCP, TLS, and the check that it is the relay of the address.
    package let connecting: Duration
    /// Of a sign of life.
    package let answering: Duration

    /// Connects, asks for a sign of life, and closes the connection.
    /// - Throws: ``XFTPClientError``; `CancellationError`.
    package static func run(
        _ address: XFTPAddress, _ options: RelayConnectionOptions = RelayConnectionOptions()
    ) async throws -> RelayProbe {
        let start = ContinuousClock.now
        let connection = try await RelayConnection.connect(to: address, options)
        let connected = ContinuousClock.now
        do {
            try await connection.ping()
        } catch {
            await connection.close()
            throw error
        }
        let answered = ContinuousClock.now
        await connection.close()
        return RelayProbe(connecting: connected - start, answering: answered - connected)
    }
}
