public import SystemPackage
import ValiseFailures
public import ValiseRelay
public import ValiseXFTPWire

/// Asks a running relay for its status.
public struct ShowRelayStatus: Operation {
    package var folder: FilePath

    /// - Parameter folder: of the relay.
    public init(in folder: FilePath) { self.folder = folder }

    /// - Throws: failures with `notFound` where no relay runs in the folder, `denied` where it is somebody else's.
    public func run(in context: OperationContext) async throws -> RelayStatus {
        guard case .status(let status) = try await context.ask(.status, folder) else {
            throw OperationError(.failed, "unexpected reply from the relay")
        }
        return status
    }
}

/// Changes a running relay, as its operator. Removes a chunk after ``Question/removeChunk(recipient:reason:)``.
public struct OperateRelay: Operation {
    /// What is asked of it.
    public enum Request: Sendable {
        /// To remove the chunk that has a recipient of this name, in base64url.
        case delete(recipient: String)
        /// The same, and to tell everyone who asks for it that it was blocked.
        case block(recipient: String, BlockingReason)
        /// To read its certificates and keys anew, for new connections.
        case reload
        /// To end gracefully. This is not waited for.
        case stop
    }

    package var folder: FilePath
    package var request: Request

    /// - Parameters:
    ///   - request: what is asked of the relay.
    ///   - folder: of the relay.
    public init(_ request: Request, in folder: FilePath) {
        self.request = request
        self.folder = folder
    }

    /// What would be changed of which relay. It has the chunk.
    public struct Plan: Sendable {
        /// What would be asked of the relay.
        public let request: Request
        /// The relay as it is now.
        public let relay: RelayStatus
    }

    /// - Throws: as ``ShowRelayStatus``; failures with `notFound` where it does not have the chunk.
    public func plan(in context: OperationContext) async throws -> Plan {
        let status = try await ShowRelayStatus(in: folder).run(in: context)
        switch request {
        case .delete(let recipient), .block(let recipient, _):
            _ = try await context.ask(.find(recipient: recipient), folder)
        case .reload, .stop: break
        }
        return Plan(request: request, relay: status)
    }

    private func askUser(
        _ recipient: String, _ reason: BlockingReason?, _ context: OperationContext
    ) async throws {
        _ = try await context.ask(.find(recipient: recipient), folder)
        try await context.questions.require(
            .removeChunk(recipient: recipient, reason: reason),
            unasked: .unasked("removing a chunk", subject: recipient))
    }

    /// - Throws: as ``plan(in:)``; what the relay answered when it failed; ``OperationError`` where the user does not agree.
    public func run(in context: OperationContext) async throws -> RelayChange {
        switch request {
        case .delete(let recipient):
            try await askUser(recipient, nil, context)
            _ = try await context.ask(.delete(recipient: recipient), folder)
            return RelayChange(type: "relayChunkDeleted", recipient: recipient)
        case .block(let recipient, let reason):
            try await askUser(recipient, reason, context)
            let text = "reason=\(reason.rawValue)"
            _ = try await context.ask(.block(recipient: recipient, reason: text), folder)
            return RelayChange(type: "relayChunkBlocked", recipient: recipient)
        case .reload:
            _ = try await context.ask(.reload, folder)
            return RelayChange(type: "relayReloaded")
        case .stop:
            _ = try await context.ask(.stop, folder)
            return RelayChange(type: "relayStopping")
        }
    }
}

/// A change that was made to a relay.
public struct RelayChange: OperationReport {
    package let type: String
    /// By whose name a chunk was found; nil where it is not about one.
    public internal(set) var recipient: String?
}

extension OperationContext {
    /// What a relay answers; its failures are thrown.
    fileprivate func ask(_ request: ControlRequest, _ folder: FilePath) async throws -> ControlReply {
        let reply = try await blocking { _ in
            try ControlClient.ask(request, at: RelayFolder(folder).path(of: .control))
        }
        if case .failure(let code, let message) = reply {
            throw OperationError(FailureCode(rawValue: code) ?? .failed, message)
        }
        return reply
    }
}
