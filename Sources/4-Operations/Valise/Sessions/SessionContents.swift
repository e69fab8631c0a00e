import SystemPackage
import ValiseChatLog
import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets
import ValiseSessionStore

/// Writes the attachments and configurations of a store into a folder.
///
/// A copy gets its name when it is complete, so that a second run goes on where one was stopped. `attachments.jsonl` is written last:
/// a line for each attachment.
struct SessionContents {
    private let store: any SessionStore
    private let log: SessionLog
    private let target: FilePath
    private let fileSystem: FileSystem

    private static let configurations = "configurations"
    private static let manifest = "attachments.jsonl"

    /// - Throws: `SessionStoreError`; errors of the source.
    init(
        _ access: SessionAccess, _ target: FilePath, includesExpired: Bool,
        fileSystem: FileSystem = FileSystem()
    ) throws {
        store = try access.snapshot.open()
        log = try SessionLog(store, now: .now, includesExpired: includesExpired)
        self.target = target
        self.fileSystem = fileSystem
    }

    /// What is written, without what is in the folders.
    var places: [FilePath] {
        [ConversationMedia.folderName, Self.configurations, Self.manifest].map(target.appending)
    }

    /// What attachments have, in bytes, as messages say it.
    /// - Throws: `SessionStoreError`; whatever `progress` throws.
    func size(_ progress: ProgressHandler) throws -> Int64 {
        var size: Int64 = 0
        for conversation in try log.conversations(includesHidden: true, damaged: { _ in }) {
            try progress(OperationProgress("counting attachments"))
            try log.forEachItem(of: conversation, damaged: { _ in }) { item in
                size = size.addingReportingOverflow(max(0, item.file?.size ?? 0)).partialValue
            }
        }
        return size
    }

    /// - Throws: `SessionStoreError`; `FileError`; whatever `progress` throws.
    func write(_ progress: ProgressHandler) throws -> ExtractedSession {
        var report = ExtractedSession(target)
        try fileSystem.makeDirectories(target)
        try writeAttachments(&report, progress)
        try writeConfigurations(&report, progress)
        try fileSystem.synchronizeDirectory(target)
        return report
    }

    // MARK: Attachments

    private func writeAttachments(_ report: inout ExtractedSession, _ progress: ProgressHandler) throws {
        let media = try ConversationMedia(try log.files(), to: target, fileSystem: fileSystem)
        let manifest = try LineOutput(target.appending(Self.manifest), fileSystem)
        var (states, problems): ([String: Int], [ExtractedSession.Problem]) = ([:], [])
        func tell(_ error: DatabaseError) {
            problems.append(ExtractedSession.Problem(name: store.attachments.string, message: error.message))
        }
        var seen: Int64 = 0
        for conversation in try log.conversations(includesHidden: true, damaged: tell) {
            try log.forEachItem(of: conversation, damaged: tell) { item in
                seen += 1
                let done = OperationProgress("copying attachments", completed: seen, unit: .items)
                if seen % 256 == 0 { try progress(done) }
                guard let file = item.file else { return }
                let exported = try media.export(file, of: item, in: conversation) { try progress(done) }
                states[exported.state.rawValue, default: 0] += 1
                let line = SessionManifestLine(file, item, conversation, exported)
                try manifest.write(Array((JSONText.encode(line) + "\n").utf8))
            }
        }
        try media.finish()
        try manifest.finish()
        report.attachments = states
        report.files = media.copied
        report.size = media.copiedSize
        report.expired = log.expired.count
        report.problems =
            problems + media.problems.map { ExtractedSession.Problem(name: $0.name, message: $0.message) }
    }

    // MARK: Configurations

    private func writeConfigurations(_ report: inout ExtractedSession, _ progress: ProgressHandler) throws {
        let folder = target.appending(Self.configurations)
        var names: Set<String> = []
        try store.forEachConfiguration { configuration in
            try progress(OperationProgress("copying configurations"))
            if names.isEmpty { try fileSystem.makeDirectories(folder) }
            let name = Self.name(of: configuration.identity, &names)
            // They may contain keys of groups.
            try SecretFile(folder.appending("\(name).dump"), replaces: true, .anything).write(
                configuration.raw.bytes)
            let view = try LineOutput(folder.appending("\(name).json"), fileSystem)
            var text: [UInt8] = []
            configuration.json().write(to: &text)
            try view.write(text + [UInt8(ascii: "\n")])
            try view.finish()
            report.configurations += 1
            report.files += 2
            if let problem = configuration.problem {
                report.problems.append(
                    ExtractedSession.Problem(name: "\(name).dump", message: problem.message))
            }
        }
        if !names.isEmpty { try fileSystem.synchronizeDirectory(folder) }
    }

    /// Such as `UserProfile`, and for a group with the beginning of its ID.
    private static func name(of identity: SessionConfigDump, _ taken: inout Set<String>) -> String {
        let variant = identity.variant.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        var name = variant.isEmpty ? "unknown" : String(variant.prefix(64))
        if !taken.insert(name).inserted {
            let owner = identity.owner.filter { $0.isHexDigit }
            name += "-\(owner.prefix(16))"
            var number = 2
            while !taken.insert(name).inserted {
                name += "-\(number)"
                number += 1
            }
        }
        return name
    }
}

/// A line of the manifest: an attachment, and what became of it.
private struct SessionManifestLine: Encodable {
    let chat: String
    let chatName: String
    let sender: String
    let message: String
    /// Nil where none is stored.
    let time: String?
    /// As the sender's file was called.
    let name: String
    /// Below the folder; nil where nothing was written.
    let path: String?
    /// In bytes, as the message says it; nil where it says nothing.
    let size: Int64?
    let state: String
    let type = "sessionAttachment"

    private enum CodingKeys: String, CodingKey {
        case chat, chatName, sender, message, time, name, path, size, state, type
    }

    init(
        _ file: ItemFile, _ item: ConversationItem, _ conversation: Conversation, _ exported: ExportedMedia
    ) {
        (chat, chatName) = (conversation.key, conversation.name)
        (sender, message) = (item.author.name, item.key)
        time = item.time.value?.isoText
        (name, size) = (file.name, file.size)
        (path, state) = (exported.path, exported.state.rawValue)
    }
}
