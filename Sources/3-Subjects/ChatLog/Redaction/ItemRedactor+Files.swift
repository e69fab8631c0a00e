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
        let (stem, ending) = Self.parts(of: name)
        return hidesMedia ? "file\(ending)" : texts.redacted(stem) + ending
    }

    private func redactedPath(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            let (stem, ending) = Self.parts(of: String(part))
            // The row before the name of a copy is no number of a phone, whatever follows.
            guard let hyphen = stem.firstIndex(of: "-"), Int64(stem[..<hyphen]) != nil else {
                return texts.redacted(stem) + ending
            }
            let start = stem.index(after: hyphen)
            return stem[..<start] + texts.redacted(String(stem[start...])) + ending
        }.joined(separator: "/")
    }

    private static let longestEnding = 5

    private static func parts(of name: String) -> (stem: String, ending: String) {
        guard let dot = name.unicodeScalars.lastIndex(of: ".") else { return (name, "") }
        let ending = name.unicodeScalars[name.unicodeScalars.index(after: dot)...]
        guard (1...longestEnding).contains(ending.count), ending.allSatisfy(\.isASCIILetterOrDigit) else {
            return (name, "")
        }
        return (String(name.unicodeScalars[..<dot]), String(name.unicodeScalars[dot...]))
    }

    /// The quote of a picture or a file without words has the name of the file in their place.
    func caption(_ text: String, _ kind: ItemKind) -> String {
        guard hidesMedia, [.image, .video, .voice, .file].contains(kind) else { return text }
        let (stem, ending) = Self.parts(of: text)
        return ending.isEmpty || stem.isEmpty || stem.contains("\n") ? text : "file\(ending)"
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
