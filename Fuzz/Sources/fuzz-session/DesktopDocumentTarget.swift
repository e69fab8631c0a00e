import Fuzzing
import SystemPackage
import ValiseEncoding
import ValiseSecrets

@testable import ValiseSessionStore

/// Documents in a profile of Desktop: those of messages, and those with keys in them.
enum DesktopDocumentTarget {
    static func message(_ bytes: [UInt8]) {
        let problems = ReadingProblems()
        guard let node = JSONNode(parsing: bytes), let fields = DesktopFields(node, problems) else { return }
        let parts = DesktopMessageParts(fields)
        _ = parts.content(type: fields.text("type"))
        let previews = parts.linkPreviews
        let attachments =
            parts.attachments + (parts.quote?.attachments ?? []) + previews.compactMap(\.picture)
        for attachment in attachments {
            guard let path = attachment.file else { continue }
            FuzzRun.require(
                path.isLexicallyNormal && path.isRelative && !path.starts(with: ".."),
                "a path stays in the folder of attachments")
        }
        FuzzRun.require(
            parts.reactions.allSatisfy { $0.count > 0 || !$0.authors.isEmpty }, "somebody reacted")
        FuzzRun.require(problems.list.count <= 20 + bytes.count, "problems are those of the document")
    }

    /// The parser never sees 64 digits or more, and finds the same as without that.
    static func keys(_ bytes: [UInt8]) {
        guard let secret = try? SecretBytes(copying: bytes) else { return }
        let plain = JSONNode(parsing: bytes)
        guard let document = MaskedDocument(secret) else { return }
        for name in ["key", "value"] {
            guard let key = try? document.key(document.node[name]) else { continue }
            let text = key.withBytes { Hexadecimal.encode(Array($0)) }
            FuzzRun.require(text.utf8.count == 64, "a key has 64 digits")
            FuzzRun.require(
                plain?[name]?.textValue?.lowercased() == text, "a key is the one that is stored")
        }
    }
}
