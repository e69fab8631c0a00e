import Logging
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseXFTPWire

/// What the operator asks through the control socket.
extension FolderRelay {
    func answer(_ request: ControlRequest) -> ControlReply {
        do {
            switch request {
            case .status: return .status(try status())
            case .find(let recipient):
                try store.find(recipient: Self.name(recipient))
                return .done
            case .delete(let recipient): try store.deleteByRecipient(Self.name(recipient))
            case .block(let recipient, let reason):
                guard let information = BlockingInfo(text: reason) else {
                    throw XFTPRelayError(
                        .invalid, "the reason must be 'reason=spam' or 'reason=content'", subject: reason)
                }
                try store.block(Self.name(recipient), information)
            case .reload: try readCertificates()
            case .stop: stopRequest.set()
            }
            log.notice("completed an operator request", metadata: ["request": "\(request.name)"])
            return .done
        } catch {
            let failure = error as? any Failure
            return .failure(
                code: (failure?.code ?? .failed).rawValue, message: failure?.description ?? "\(error)")
        }
    }

    private static func name(_ text: String) throws -> EntityID {
        guard let bytes = Base64URL.decode(text), let id = EntityID(bytes) else {
            throw XFTPRelayError(.invalid, "not a recipient ID", subject: text)
        }
        return id
    }

    /// How the relay is at this moment.
    /// - Throws: ``XFTPStoreError``.
    package func status() throws -> RelayStatus {
        RelayStatus(
            address: server.address.text, port: Int(server.port), version: version, started: started,
            process: ProcessIdentity.current, acceptsNewFiles: settings.acceptsNewFiles,
            needsPassword: settings.password != nil, lifetime: store.rules.lifetime, usage: try store.usage,
            statistics: try store.statistics, connections: server.counters)
    }

    // MARK: Certificates

    /// Reads certificates and keys anew, also those for browsers, for new connections; checks them as at the start. Blocks. All else
    /// that the settings say stays as it was.
    ///
    /// - Throws: as ``RelayFolder/contents()`` and ``RelayServer/show(_:webIdentity:)``. The relay goes on with those that it has.
    func readCertificates() throws {
        let contents = try folder.contents()
        try server.show(contents.identity, webIdentity: contents.webIdentity)
    }

    /// Does that each time that somebody asks, until the requests end or the task is cancelled; tells the log how it went.
    /// - Parameter requests: nil where nobody will ask.
    package func reload(at requests: AsyncStream<Void>?) async {
        guard let requests else { return await StopSignal().wait() }
        for await _ in requests {
            do {
                try await Self.blocking { [self] in try readCertificates() }
                log.notice("reloaded the certificates")
            } catch {
                log.error(
                    "cannot reload the certificates. The previous ones stay in use.",
                    metadata: ["error": .failure(error)])
            }
        }
    }
}
