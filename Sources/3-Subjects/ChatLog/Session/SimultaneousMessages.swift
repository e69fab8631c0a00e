import ValiseEncoding
import ValiseSessionStore

/// Puts messages of the same time into the order of their numbers, in which an update of an export expects them. Rows are no
/// help: Desktop gives a message another one whenever it changes.
struct SimultaneousMessages {
    private var messages: [SessionMessage] = []
    private var size = 0

    /// More are not kept back: an order among so many says nothing any more.
    private static let most = 256
    /// Of documents and texts, in bytes.
    private static let largest = 16 << 20

    /// - Returns: those that come before this one.
    mutating func add(_ message: SessionMessage) -> [SessionMessage] {
        let isFull = messages.count >= Self.most || size >= Self.largest
        let before = isFull || messages.last?.time != message.time ? take() : []
        messages.append(message)
        size += (message.document?.utf8.count ?? 0) + (message.body?.utf8.count ?? 0)
        return before
    }

    /// Those that are left.
    mutating func take() -> [SessionMessage] {
        defer { (messages, size) = ([], 0) }
        guard messages.count > 1 else { return messages }
        return messages.sorted { SessionLogKey.number(of: $0) < SessionLogKey.number(of: $1) }
    }
}
