/// An operation without a job as JSON.
package struct OperationDocument: Encodable, Sendable {
    private let type: String
    private let title: String
    /// `running`, `interrupted`, `stopped` or `ended`.
    private let state: String
    private let reason: String?
    private let paths: [String]
    /// Those at which another file is now than the one that the operation was asked for.
    private let replacedPaths: [String]?

    package init(_ record: OperationRecord) {
        type = Self.type(record.origin)
        title = record.title
        state = record.stateName
        reason = record.reason
        paths = record.places.map(\.path.string)
        let replaced = record.replacedPaths.map(\.string)
        replacedPaths = replaced.isEmpty ? nil : replaced
    }

    private static func type(_ origin: OperationRecord.Origin) -> String {
        switch origin {
        case .job: "job"
        case .account: "accountChange"
        case .move: "move"
        case .upload: "upload"
        case .download: "download"
        case .servedRelay: "relay"
        }
    }
}

extension OperationRecord {
    /// Its state in a word.
    package var stateName: String {
        switch state {
        case .running: "running"
        case .undecided, .decided: "interrupted"
        case .stopped: "stopped"
        case .ended: "ended"
        }
    }

    /// The same for a user: with the process that runs it.
    package var stateText: String {
        guard case .running(let process?) = state else { return stateName }
        return "\(stateName) (PID \(process))"
    }

    /// Why it stopped; nil where that is not known.
    package var reason: String? { if case .stopped(let reason) = state { reason } else { nil } }
}
