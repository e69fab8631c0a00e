import ValiseCryptography
import ValiseEncoding
import ValiseSessionStore

/// Names and numbers that stay the same in all exports of an account.
enum SessionLogKey {
    /// In bytes; a Session ID has 66.
    private static let longest = 80
    /// The numbers of JSON that every program reads exactly have as many bits.
    private static let unusedBits: UInt64 = 64 - 53

    /// Of a conversation: its ID where that can be the name of a file, else a digest of it. Its kind is not in it, since that is
    /// lost where only messages are left.
    static func text(of conversation: String) -> String {
        let isName =
            !conversation.isEmpty && conversation.utf8.count <= longest
            && conversation.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
        guard !isName else { return "chat-\(conversation)" }
        return "chat-digest-" + Hexadecimal.encode(Array(SHA256.hash(Array(conversation.utf8)).prefix(16)))
    }

    /// Of a message: when it was sent and by whom, by which all participants find what a quote means; nil where that is not
    /// stored.
    static func text(sentAt: UTCTime?, author: String?) -> String? {
        guard let sentAt else { return nil }
        let time = sentAt.seconds &* 1000 &+ Int64(sentAt.nanoseconds / 1_000_000)
        guard let author, !author.isEmpty else { return "\(time)" }
        return "\(time).\(author)"
    }

    /// Of a message in place of its row: Desktop writes a changed message into another one.
    static func number(of message: SessionMessage) -> Int64 {
        Int64(message.id) ?? Int64(KeyHash.of(message.id) >> unusedBits)
    }

    /// Of a file of a message.
    static func number(ofFile index: Int, of message: SessionMessage) -> Int64 {
        Int64(KeyHash.of("\(message.id)/\(index)") >> unusedBits)
    }
}
