import SystemPackage
import ValiseEncoding

/// Reactions of several copies of a message.
enum MergedReactions {
    /// All of them; as they are where no copy has others.
    static func united(_ lists: [[SessionReaction]]) -> [SessionReaction] {
        guard let first = lists.first, lists.contains(where: { $0 != first }) else {
            return lists.first ?? []
        }
        var authors: [String: Set<String>] = [:]
        var counts: [String: Int64] = [:]
        for reaction in lists.joined() {
            authors[reaction.emoji, default: []].formUnion(reaction.authors)
            counts[reaction.emoji] = max(counts[reaction.emoji] ?? 0, reaction.count)
        }
        return authors.sorted { $0.key < $1.key }.map { emoji, authors in
            SessionReaction(
                emoji: emoji, authors: authors.sorted(), count: max(counts[emoji] ?? 0, Int64(authors.count)))
        }
    }

    /// Without what the programs count differently.
    static func node(_ reactions: [SessionReaction]) -> JSONNode {
        .array(
            reactions.sorted { $0.emoji < $1.emoji }.map { reaction in
                .object([
                    .init("emoji", .text(reaction.emoji)),
                    .init("by", .array(Set(reaction.authors).sorted().map { .text($0) })),
                ])
            })
    }
}

/// Looked up links of several copies of a message.
enum MergedLinks {
    /// Of each address the one with the longest title; as they are where no copy has others.
    static func united(_ lists: [[SessionLinkPreview]]) -> [SessionLinkPreview] {
        guard let first = lists.first, lists.contains(where: { $0 != first }) else {
            return lists.first ?? []
        }
        let byAddress = Dictionary(grouping: lists.joined(), by: \.address)
        return byAddress.sorted { $0.key < $1.key }.map { address, previews in
            SessionLinkPreview(
                address: address,
                title: previews.compactMap(\.title).max { ($0.utf8.count, $0) < ($1.utf8.count, $1) },
                picture: previews.compactMap(\.picture).max {
                    MergedFiles.order([$0]) < MergedFiles.order([$1])
                })
        }
    }

    static func node(_ previews: [SessionLinkPreview]) -> JSONNode {
        .array(
            previews.sorted { ($0.address, $0.title ?? "") < ($1.address, $1.title ?? "") }.map { preview in
                var members: [JSONNode.Member] = [.init("address", .text(preview.address))]
                if let title = preview.title { members.append(.init("title", .text(title))) }
                return .object(members)
            })
    }
}

/// One attachment in several copies of a message.
struct MergedFiles {
    /// The one whose file is there, with what the others know of it.
    let merged: SessionAttachment

    /// - Parameters:
    ///   - copies: at least one.
    ///   - hasFile: looks whether the file of one is there. It is asked only where several may have it.
    init(_ copies: [SessionAttachment], hasFile: (SessionAttachment) -> Bool) {
        let ordered = copies.sorted { Self.order([$0]) > Self.order([$1]) }
        let stored = ordered.filter { $0.file != nil }
        let best = (stored.count > 1 ? stored.first(where: hasFile) : nil) ?? ordered[0]
        func longest(_ texts: [String?]) -> String? {
            texts.compactMap { $0 }.max { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        }
        merged = SessionAttachment(
            fileName: longest(copies.map(\.fileName)), contentType: longest(copies.map(\.contentType)),
            size: best.size ?? copies.compactMap(\.size).max(),
            width: best.width ?? copies.compactMap(\.width).max(),
            height: best.height ?? copies.compactMap(\.height).max(),
            duration: best.duration ?? copies.compactMap(\.duration).max(),
            caption: longest(copies.map(\.caption)),
            role: copies.contains { $0.role == .voice } ? .voice : best.role, place: best.place)
    }

    /// What a conflict calls the state of a file.
    static func state(of attachment: SessionAttachment) -> String {
        switch attachment.place {
        case .file: "present"
        case .absent: "absent"
        case .unsafe: "unsafe"
        }
    }

    /// Those with more files come last, and else those with more that is known of them.
    static func order(_ attachments: [SessionAttachment]) -> (Int, Int, String) {
        let words = attachments.map { attachment in
            let place =
                switch attachment.place {
                case .file(let path, _): MergedPath.split(path)?.path.string ?? path.string
                case .absent(let state): state
                case .unsafe(let path): path
                }
            return [
                attachment.fileName ?? "", attachment.contentType ?? "", attachment.caption ?? "",
                attachment.size.map { String($0) } ?? "", place,
            ].joined(separator: "\n")
        }
        return (
            attachments.count { $0.file != nil }, attachments.count, words.joined(separator: "\n")
        )
    }
}
