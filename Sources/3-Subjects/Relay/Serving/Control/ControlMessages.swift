import ValiseEncoding

/// What an operator asks a running relay: one line of JSON, such as `{"type":"status"}`.
package enum ControlRequest: Hashable, Sendable, Codable {
    case status
    /// Whether there is a chunk of this recipient's name, in base64url. Changes nothing.
    case find(recipient: String)
    /// Removes the chunk of a recipient's name.
    case delete(recipient: String)
    /// The same; the reason as in `reason=spam`.
    case block(recipient: String, reason: String)
    /// Reads certificates and keys anew, for new connections.
    case reload
    /// Ends the relay as SIGTERM does.
    case stop

    /// What is asked, for logs: not of which chunk.
    package var name: String {
        switch self {
        case .status: "status"
        case .find: "find"
        case .delete: "delete"
        case .block: "block"
        case .reload: "reload"
        case .stop: "stop"
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .status, .reload, .stop: try SumCoding.encode(name, to: encoder)
        case .find(let recipient), .delete(let recipient):
            try SumCoding.encode(name, to: encoder) { try $0.encode(recipient, forKey: "recipient") }
        case .block(let recipient, let reason):
            try SumCoding.encode(name, to: encoder) {
                try $0.encode(recipient, forKey: "recipient")
                try $0.encode(reason, forKey: "reason")
            }
        }
    }

    package init(from decoder: any Decoder) throws {
        let (name, fields) = try SumCoding.decode(decoder)
        switch name {
        case "status": self = .status
        case "find": self = .find(recipient: try fields.decode(String.self, forKey: "recipient"))
        case "delete": self = .delete(recipient: try fields.decode(String.self, forKey: "recipient"))
        case "block":
            self = .block(
                recipient: try fields.decode(String.self, forKey: "recipient"),
                reason: try fields.decode(String.self, forKey: "reason"))
        case "reload": self = .reload
        case "stop": self = .stop
        default: throw SumCoding.unknownCase(name, decoder)
        }
    }
}

/// What a relay answers its operator: one line of JSON.
package enum ControlReply: Sendable, Codable {
    case status(RelayStatus)
    case done
    case failure(code: String, message: String)

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .status(let status):
            try SumCoding.encode("status", to: encoder) { try $0.encode(status, forKey: "status") }
        case .done: try SumCoding.encode("done", to: encoder)
        case .failure(let code, let message):
            try SumCoding.encode("error", to: encoder) {
                try $0.encode(code, forKey: "code")
                try $0.encode(message, forKey: "message")
            }
        }
    }

    package init(from decoder: any Decoder) throws {
        let (name, fields) = try SumCoding.decode(decoder)
        switch name {
        case "status": self = .status(try fields.decode(RelayStatus.self, forKey: "status"))
        case "done": self = .done
        case "error":
            self = .failure(
                code: try fields.decode(String.self, forKey: "code"),
                message: try fields.decode(String.self, forKey: "message"))
        default: throw SumCoding.unknownCase(name, decoder)
        }
    }
}

/// The status of a running relay.
public struct RelayStatus: Sendable, Codable {
    /// What clients connect to.
    public let address: String
    /// The one it listens on.
    package let port: Int
    /// Of its program.
    public let version: String
    /// In seconds since 1970.
    public let started: Int64
    /// Its number in the system.
    package let process: Int32
    /// Whether files can be sent to it.
    public let acceptsNewFiles: Bool
    package let needsPassword: Bool
    /// Of chunks, in seconds.
    package let lifetime: Int64
    /// What it keeps.
    package let usage: StoreUsage
    package let statistics: StoreStatistics
    package let connections: RelayCounters

    /// The size of its chunks, in bytes.
    public var usedSpace: Int64 { usage.usedSpace }
    /// The most that it keeps, in bytes; nil for no limit.
    public var quota: Int64? { usage.quota }
}
