import SystemPackage
import ValiseChatSchema
import ValiseDatabase

/// The files that the agent is about to read for sending. It knows the keys that they had when sending began, so
/// they must stay as they are until it is done.
struct MediaUploads {
    private let names: Set<String>

    init(_ agent: borrowing Connection) throws {
        names = Set(try AgentSchema(agent).pathsToSend(agent).compactMap(Self.lastComponent))
    }

    /// Whether a file of this path is being sent. By the last component: agents store absolute paths, also those of
    /// a machine that the account came from.
    func contains(_ path: String) -> Bool {
        Self.lastComponent(path).map(names.contains) ?? false
    }

    private static func lastComponent(_ path: String) -> String? {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
    }
}
