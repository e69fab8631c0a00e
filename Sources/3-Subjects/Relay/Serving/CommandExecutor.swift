import ValiseCryptography
import ValiseXFTPWire

/// Carries out commands that are well formed (XFTP fact sheet, §5.2, steps 4 to 11). Blocks: for threads that may.
struct CommandExecutor: Sendable {
    let store: ChunkStore
    let acceptsNewFiles: Bool
    let password: RelayPassword?
    let intake = Intake()
    /// Who is told of failures that are no client's.
    var failures: FailureLog?
    /// Whether a key authorizes a request, see `RelaySession.verify`.
    var verify: @Sendable (RelaySession, AuthorizedRequest, PublicKey?) -> Bool = { $0.verify($1, key: $2) }

    /// What comes of a command.
    enum Outcome: Sendable {
        case answer(XFTPResponse)
        /// The chunk is to be read and stored.
        case store(ChunkUpload, size: Int64)
        /// The chunk is here already; one of its size is to be read and thrown away.
        case compare(size: Int64)
        /// The answer, and the chunk behind it.
        case send(XFTPResponse, EncryptedChunk)
    }

    /// - Parameters:
    ///   - request: is well formed.
    ///   - session: of its connection.
    ///   - allowance: of its client.
    func execute(
        _ request: AuthorizedRequest, in session: RelaySession,
        _ allowance: ClientAllowance = .unlimited
    ) -> Outcome {
        do {
            return try outcome(of: request, in: session, allowance)
        } catch let refusal as Refusal {
            return .answer(.error(refusal.error))
        } catch {
            failures?.report(error)
            return .answer(.error((error as? XFTPStoreError)?.answer ?? .internal))
        }
    }

    private struct Refusal: Error {
        let error: XFTPErrorCode
    }

    private func outcome(
        of request: AuthorizedRequest, in session: RelaySession, _ allowance: ClientAllowance
    ) throws -> Outcome {
        guard intake.isOpen || !request.command.bringsChunks else { throw Refusal(error: .timeout) }
        switch request.command {
        case .ping:
            return .answer(.pong)
        case .create(let chunk):
            return .answer(try create(chunk, request, session, allowance))
        case .addRecipients(let keys):
            let sender = try sender(request, session).id
            return .answer(.recipientsAdded(try store.addRecipients(keys, to: sender)))
        case .upload:
            return try upload(request, session)
        case .delete:
            try store.delete(try sender(request, session).id)
            return .answer(.done)
        case .acknowledge:
            try store.acknowledge(try recipient(request, session).id)
            return .answer(.done)
        case .download(let key):
            return try download(for: key, request, session)
        }
    }

    // MARK: Commands

    private func create(
        _ chunk: NewChunk, _ request: AuthorizedRequest, _ session: RelaySession,
        _ allowance: ClientAllowance
    ) throws -> XFTPResponse {
        guard verify(session, request, chunk.senderKey), acceptsNewFiles,
            isAccepted(chunk.password)
        else { throw Refusal(error: .auth) }
        // Only who may announce chunks can use up what others may.
        guard allowance.takeNewFile() else { throw Refusal(error: .timeout) }
        let names = try store.create(
            senderKey: chunk.senderKey, size: chunk.size, digest: chunk.digest,
            recipients: chunk.recipientKeys)
        return .created(sender: names.sender, recipients: names.recipients)
    }

    /// Digests are compared: the time tells nothing of the password.
    private func isAccepted(_ claimed: RelayPassword?) -> Bool {
        guard let password else { return true }
        return SHA256.hash(Array((claimed?.text ?? "").utf8)) == SHA256.hash(Array(password.text.utf8))
    }

    private func upload(_ request: AuthorizedRequest, _ session: RelaySession) throws -> Outcome {
        let sender = try sender(request, session)
        return switch try store.beginUpload(sender.id) {
        case .alreadyStored: .compare(size: Int64(sender.name.size))
        case .accept(let upload): .store(upload, size: Int64(sender.name.size))
        }
    }

    private func download(
        for key: PublicKey, _ request: AuthorizedRequest, _ session: RelaySession
    ) throws -> Outcome {
        let recipient = try recipient(request, session)
        let chunk = try EncryptedChunk(try store.open(recipient.id), for: key)
        return .send(chunk.response, chunk)
    }

    // MARK: Who may

    private func sender(
        _ request: AuthorizedRequest, _ session: RelaySession
    ) throws -> (id: EntityID, name: StoredEntity) {
        try authorize(request, session, store.sender)
    }

    private func recipient(
        _ request: AuthorizedRequest, _ session: RelaySession
    ) throws -> (id: EntityID, name: StoredEntity) {
        try authorize(request, session, store.recipient)
    }

    /// Unknown names cost the time of a signature; blocked ones are told before it is checked.
    private func authorize(
        _ request: AuthorizedRequest, _ session: RelaySession, _ find: (EntityID) throws -> StoredEntity?
    ) throws -> (id: EntityID, name: StoredEntity) {
        guard let id = request.entityID, let name = try find(id) else {
            _ = verify(session, request, nil)
            throw Refusal(error: .auth)
        }
        if let information = name.blocked { throw Refusal(error: .blocked(information)) }
        guard verify(session, request, name.key) else { throw Refusal(error: .auth) }
        return (id, name)
    }
}
