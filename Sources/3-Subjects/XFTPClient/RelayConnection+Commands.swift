package import ValiseSecrets
package import ValiseXFTPWire

extension RelayConnection {
    /// Registers a chunk.
    ///
    /// - Parameters:
    ///   - chunk: size, digest and public keys.
    ///   - key: whose public part is the chunk's sender key.
    /// - Returns: the chunk's names; those of recipients in the order of their keys.
    /// - Throws: ``XFTPClientError``; `CancellationError`.
    package func create(
        _ chunk: NewChunk, key: SecretSeed
    ) async throws -> (sender: EntityID, recipients: [EntityID]) {
        let response = try await ask(.create, .create(chunk), nil, key)
        guard case .created(let sender, let recipients) = response,
            recipients.count == chunk.recipientKeys.count
        else { throw unexpected(response, .create) }
        return (sender, recipients)
    }

    /// Adds recipients to a chunk, before or after its upload.
    ///
    /// - Parameters:
    ///   - keys: 1 to 255; a block has space for some 350 of 44 bytes.
    ///   - sender: by which the sender knows the chunk.
    ///   - key: the sender's.
    /// - Returns: their names, in the order of the keys.
    /// - Throws: ``XFTPClientError``; `CancellationError`.
    package func addRecipients(
        _ keys: [PublicKey], to sender: EntityID, key: SecretSeed
    ) async throws -> [EntityID] {
        let response = try await ask(.addRecipients, .addRecipients(keys), sender, key)
        guard case .recipientsAdded(let recipients) = response, recipients.count == keys.count else {
            throw unexpected(response, .addRecipients)
        }
        return recipients
    }

    /// Tells the relay that a recipient has the chunk: its name is forgotten there.
    /// - Throws: ``XFTPClientError``; `CancellationError`.
    package func acknowledge(_ recipient: EntityID, key: SecretSeed) async throws {
        try expectDone(await ask(.acknowledge, .acknowledge, recipient, key), .acknowledge)
    }

    /// Deletes a chunk with all its names.
    /// - Throws: ``XFTPClientError``; `CancellationError`.
    package func delete(_ sender: EntityID, key: SecretSeed) async throws {
        try expectDone(await ask(.delete, .delete, sender, key), .delete)
    }

    /// Asks for a sign of life.
    /// - Throws: ``XFTPClientError``; `CancellationError`.
    package func ping() async throws {
        let response = try await ask(.ping, .ping, nil, nil)
        guard response == .pong else { throw unexpected(response, .ping) }
    }

    // MARK: Blocks

    private func ask(
        _ request: Request, _ command: XFTPCommand, _ entity: EntityID?, _ key: SecretSeed?
    ) async throws -> XFTPResponse {
        let block = try encode(command, entity, key)
        return try await withStream(request) { stream in
            _ = try await stream.start(block, isAll: true)
            let (answer, rest) = try await stream.takeBlock(relay)
            try await stream.expectEnd(after: rest, relay)
            return try decode(answer, request)
        }
    }

    func encode(_ command: XFTPCommand, _ entity: EntityID?, _ key: SecretSeed?) throws -> [UInt8] {
        do {
            return try session.encode(command, entity: entity, key: key)
        } catch let error as XFTPWireError {
            throw XFTPClientError(.wrongBody, code: error.code, error.message, relay: relay, cause: nil)
        }
    }

    /// - Throws: ``XFTPClientError``, also for an error that the relay answers with.
    func decode(_ block: [UInt8], _ request: Request) throws -> XFTPResponse {
        let response: XFTPResponse
        do {
            response = try session.decode(block)
        } catch {
            throw XFTPClientError.violation("cannot read the relay's answer", relay: relay, cause: error)
        }
        guard case .error(let error) = response else { return response }
        // A session that the relay does not know serves for nothing more.
        if error == .session || error == .handshake { retire() }
        throw XFTPClientError.refused(error, request, relay: relay)
    }

    func expectDone(_ response: XFTPResponse, _ request: Request) throws {
        guard response == .done else { throw unexpected(response, request) }
    }

    func unexpected(_ response: XFTPResponse, _ request: Request) -> XFTPClientError {
        .violation("the relay sent an unexpected answer to \(request.rawValue)", relay: relay)
    }
}
