/// Files, and what is said about them.
extension ItemRedactor {
    private var hidesMedia: Bool { hides.contains(.media) }

    /// A file whose copy has a name that is kept back is left out.
    func file(_ file: ItemFile) -> ItemFile {
        let name = fileName(file.name)
        var exported = file.exported
        if let path = exported?.path, hidesMedia || redactedPath(path) != path {
            exported = ExportedMedia(.leftOut)
        }
        return ItemFile(
            row: file.row, name: name, path: file.path, size: file.size, status: file.status.map(status),
            isEncrypted: file.isEncrypted, exported: exported)
    }

    /// Its ending stays.
    private func fileName(_ name: String) -> String {
        let (stem, ending) = RedactedFileName.parts(of: name)
        return hidesMedia ? RedactedFileName.of(name) : texts.redacted(stem) + ending
    }

    private func redactedPath(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            // Of one of another program it has who the conversation is with.
            if hidesNames, part.hasPrefix("chat-") {
                return identifiers.redacted(conversation: String(part))
            }
            let (stem, ending) = RedactedFileName.parts(of: String(part))
            // The row before the name of a copy is no number of a phone, whatever follows.
            guard let hyphen = stem.firstIndex(of: "-"), Int64(stem[..<hyphen]) != nil else {
                return texts.redacted(stem) + ending
            }
            let start = stem.index(after: hyphen)
            return stem[..<start] + texts.redacted(String(stem[start...])) + ending
        }.joined(separator: "/")
    }

    /// A text of a message that has files, or is about one.
    func text(_ text: String, messageType: String?, _ mentions: NameFinder?) -> String {
        let fileName = hidesMedia ? RedactedFileName.of(text: text, messageType: messageType) : nil
        return fileName ?? texts.redacted(text, mentions: mentions)
    }
}

extension ConversationItem {
    /// The same with another text.
    func with(text: String) -> ConversationItem {
        ConversationItem(
            key: key, row: row, isSent: isSent, author: author, time: time, createdAt: createdAt,
            content: content, storedContent: storedContent, text: text, quote: quote, forward: forward,
            reactions: reactions, versions: versions, mentions: mentions, deletion: deletion,
            isEdited: isEdited, isLive: isLive, lifetime: lifetime, deletesAt: deletesAt, status: status,
            receipts: receipts, usedProxy: usedProxy, mentionsUser: mentionsUser, signature: signature,
            file: file, gone: gone)
    }
}
