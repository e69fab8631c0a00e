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

/// Changes a running relay, as its operator.
public struct OperateRelay: Operation {
    /// What is asked of it.
    public enum Request: Sendable {
        /// To remove the chunk that has a recipient of this name, in base64url.
        case delete(recipient: String)
        /// The same, and to tell everyone who asks for it that it was blocked.
        case block(recipient: String, BlockingReason)
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

    /// What would be changed of which relay. Whether it has the chunk, only a run says.
    public struct Plan: Sendable {
        /// What would be asked of the relay.
        public let request: Request
        /// The relay as it is now.
        public let relay: RelayStatus
    }

    /// - Throws: as ``ShowRelayStatus``.
    public func plan(in context: OperationContext) async throws -> Plan {
        Plan(request: request, relay: try await ShowRelayStatus(in: folder).run(in: context))
    }

    /// - Throws: as ``ShowRelayStatus``; what the relay answered when it failed.
    public func run(in context: OperationContext) async throws -> RelayChange {
        switch request {
        case .delete(let recipient):
            _ = try await context.ask(.delete(recipient: recipient), folder)
            return RelayChange(type: "relayChunkDeleted", recipient: recipient)
        case .block(let recipient, let reason):
            let text = "reason=\(reason.rawValue)"
            _ = try await context.ask(.block(recipient: recipient, reason: text), folder)
            return RelayChange(type: "relayChunkBlocked", recipient: recipient)
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
