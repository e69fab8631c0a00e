import SystemPackage
import ValiseArchives
import ValiseFiles

/// Which folder of an export each chat has, `USER/CHAT`; the same one in every run.
struct ExportFolders {
    private struct Chat: Hashable {
        let user: Int64?
        let userName: String?
        let kind: MediaExportEntry.ChatKind?
        let id: Int64?
        let name: String?

        init(_ entry: MediaExportEntry) {
            user = entry.userId
            userName = entry.user
            kind = entry.chatKind
            id = entry.chatId
            name = entry.chat
        }
    }

    private struct User: Hashable {
        let id: Int64?
        let name: String?
    }

    private let out: FilePath
    private let fileSystem: FileSystem
    private var users: [User: String] = [:]
    private var chats: [Chat: String] = [:]
    private var taken = FoldedNames()

    init(_ out: FilePath, _ fileSystem: FileSystem) {
        self.out = out
        self.fileSystem = fileSystem
        _ = taken.insert(ExportManifest.fileName)
        _ = taken.insert(ExportStaging.folderName)
    }

    /// Learns from a line of a previous run.
    mutating func note(_ entry: MediaExportEntry) {
        // The folder of a copy that is stored under another one's name says nothing.
        guard !entry.isStoredElsewhere else { return }
        let components = entry.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard components.count == 3 else { return }
        let folder = "\(components[0])/\(components[1])"
        users[User(id: entry.userId, name: entry.user)] = components[0]
        chats[Chat(entry)] = folder
        _ = taken.insert(components[0])
        _ = taken.insert(folder)
    }

    /// The folder of a file, relative to the export's.
    /// - Throws: ``FileError``.
    mutating func folder(of entry: MediaExportEntry) throws -> String {
        let chat = Chat(entry)
        if let known = chats[chat] { return known }
        let user = User(id: entry.userId, name: entry.user)
        let above: String
        if let known = users[user] {
            above = known
        } else {
            let fallback = entry.userId.map { "user \($0)" } ?? "no user"
            above = try free(SafeFileName(entry.user ?? "", fallback: fallback), in: "")
            users[user] = above
        }
        let fallback = entry.chat == nil ? "no chat" : "chat"
        let folder = try free(SafeFileName(entry.chat ?? "", fallback: fallback), in: above + "/")
        chats[chat] = folder
        return folder
    }

    /// What no other user or chat has. A folder of an export that was killed before its first line is used again.
    private mutating func free(_ name: SafeFileName, in above: String) throws -> String {
        var number = 1
        while true {
            let path = above + name.numbered(number)
            let found = try fileSystem.attributes(of: out.appending(path))
            if found == nil || found?.kind == .directory, taken.insert(path) { return path }
            number += 1
        }
    }
}
