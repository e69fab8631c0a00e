import FaultInjection
import ValiseEncoding

/// A message of a synthetic account.
package struct StoryMessage: Sendable {
    package enum Kind: CaseIterable, Sendable {
        case text, unicode, long, picture, album, voice, pending, quote, quoteOnly, reactions, link, linkOnly
        case disappearing, expired, waiting, failed, read, unread, deleted
        case lifetimeOn, lifetimeOff, group, call, captured, accepted, invitation
        case video, document, lost, linkPicture, quotePicture, mention, unknown

        /// Whether it is a message, and not something that happened.
        package var canBeSent: Bool {
            switch self {
            case .deleted, .lifetimeOn, .lifetimeOff, .group, .call, .captured, .accepted, .invitation,
                .unread, .lost, .unknown:
                false
            default: true
            }
        }
    }

    package struct File: Sendable, Equatable {
        package var name: String?
        package var type: String
        package var content: [UInt8]
        package var isVoice = false
        /// Whether it was received, or sent.
        package var isThere = true
        /// Whether it cannot be received.
        package var isLost = false
        package var address: String
    }

    package struct Quote: Sendable, Equatable {
        package var author: String
        package var sentAt: Int64
        package var text: String?
        package var picture: File?
    }

    package struct Reaction: Sendable, Equatable {
        package var emoji: String
        package var authors: [String]
    }

    package let number: Int
    package let chat: String
    package let kind: Kind
    package let author: String
    package let isSent: Bool
    /// In milliseconds since 1970.
    package let sentAt: Int64
    package var body: String?
    package var hash: String?
    package var communityNumber: Int64?
    package var isUnread = false
    /// In seconds.
    package var lifetime: Int64?
    package var expiryStart: Int64?
    package var quote: Quote?
    package var reactions: [Reaction] = []
    package var link: (address: String, title: String)?
    package var linkPicture: File?
    package var files: [File] = []

    /// Those that are shown as a part of the message.
    package var shownFiles: [File] { files + [linkPicture].compactMap(\.self) }
    /// All that the store has.
    package var storedFiles: [File] { shownFiles + [quote?.picture].compactMap(\.self) }
    package var id: String { "message-\(number)" }
    package var receivedAt: Int64 { sentAt + 700 }

    init(
        number: Int, chat: String, kind: Kind, author: String, isSent: Bool, sentAt: Int64
    ) {
        (self.number, self.chat, self.kind) = (number, chat, kind)
        (self.author, self.isSent, self.sentAt) = (author, isSent, sentAt)
    }

    mutating func fill(
        in chat: Story.Chat, earlier: [StoryMessage], _ people: [String], _ random: inout SeededGenerator
    ) {
        if chat.kind == .community {
            communityNumber = Int64(number) + 1000
        } else {
            hash = "hash\(number)/\(UInt32.random(in: 0 ... .max, using: &random))="
        }
        body = "Message \(number)"
        switch kind {
        case .unicode: body = "Grüße 👩‍👩‍👧 \u{202e}‮ \"quoted\" \\ 'x'\n\(number)"
        case .long: body = String(repeating: "word \(number) ", count: 400)
        case .picture: files = [file("picture.jpg", "image/jpeg", &random)]
        case .album:
            body = nil
            files = (0..<3).map { file("album \($0).png", "image/png", &random) }
        case .voice:
            body = nil
            files = [file(nil, "audio/aac", &random)]
            files[0].isVoice = true
        case .pending:
            files = [file("later.pdf", "application/pdf", &random)]
            files[0].isThere = false
        case .quote: quote = earlierQuote(earlier, text: "as quoted")
        case .quoteOnly: quote = earlierQuote(earlier, text: nil)
        case .reactions:
            reactions = ["👍", "❤️", "😄"].map { Reaction(emoji: $0, authors: Array(people.prefix(2))) }
        case .link: link = ("https://example.org/\(number)", "Title \(number)")
        case .linkOnly:
            body = "https://example.org/only"
            link = ("https://example.org/only", "")
        case .disappearing: (lifetime, expiryStart) = (86_400 * 365 * 90, sentAt)
        case .expired: (lifetime, expiryStart) = (5, sentAt)
        case .waiting: lifetime = 300
        case .unread: isUnread = true
        case .video: files = [file("clip.mp4", "video/mp4", &random)]
        case .document: files = [file("report.pdf", "application/pdf", &random)]
        case .lost:
            files = [file("gone.pdf", "application/pdf", &random)]
            (files[0].isThere, files[0].isLost) = (false, true)
        case .linkPicture:
            link = ("https://example.org/pictured/\(number)", "Pictured \(number)")
            linkPicture = file("preview.jpg", "image/jpeg", &random)
        case .quotePicture:
            quote = earlierQuote(earlier, text: "as quoted")
            let picture = file("quoted.jpg", "image/jpeg", &random)
            quote?.picture = picture
        case .mention: body = "@\(people[1]) number \(number)"
        case .deleted, .lifetimeOn, .lifetimeOff, .captured, .accepted, .invitation, .unknown: body = nil
        case .group: body = "{\"joined\":[\"\(people[1])\"]}"
        case .call: body = "missed-call"
        case .text, .failed, .read: break
        }
    }

    private func earlierQuote(_ earlier: [StoryMessage], text: String?) -> Quote? {
        guard let quoted = earlier.last(where: { $0.chat == chat }) else { return nil }
        return Quote(author: quoted.author, sentAt: quoted.sentAt, text: text)
    }

    private func file(_ name: String?, _ type: String, _ random: inout SeededGenerator) -> File {
        let content = (0..<Int.random(in: 0...300, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        let number = UInt64.random(in: 0 ... .max, using: &random)
        return File(
            name: name, type: type, content: content, address: "http://files.example/file/\(number)")
    }
}
