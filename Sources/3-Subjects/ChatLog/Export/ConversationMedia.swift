package import SystemPackage
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
import ValiseMedia

/// Copies the files of items into an export, decrypted, each content once, under their own names.
///
/// A copy gets its name when it is complete and durable, many at a time so that one flush serves them all. So a killed run leaves
/// whole files, and the next one does not copy them again.
package final class ConversationMedia {
    private let files: any ItemFiles
    private let folder: FilePath
    private let fileSystem: FileSystem
    /// What became of the files that were asked for, by their paths in the account.
    private var known: [String: ExportedMedia] = [:]
    private let choice: MediaChoice
    private let linked: LinkedMedia?
    private var contents: ContentIndex
    /// Where copies are that have no name yet, by their paths in the export.
    private var waiting: [String: FilePath] = [:]
    private var waitingSize: Int64 = 0
    private var madeFolders: Set<String> = []

    /// Where they are in an export.
    package static let folderName = "media"
    private static let partialFolder = ".partial"
    private static let mostWaiting = 256
    private static let mostWaitingBytes: Int64 = 256 << 20

    /// How many were copied, and how many are not there, by what is the matter.
    package private(set) var copied = 0
    package private(set) var copiedSize: Int64 = 0
    /// How many are referred to where they are in the account.
    package private(set) var links = 0
    /// How many have the same content as another one.
    package private(set) var duplicates = 0
    package private(set) var counts: [ExportedMedia.State: Int] = [:]
    /// What is wrong with files that could not be copied.
    package private(set) var problems: [(name: String, message: String)] = []

    /// - Parameters:
    ///   - files: those of the source.
    ///   - folder: of the export.
    ///   - choice: which files are exported, and how.
    ///   - fileSystem: where the copies are written.
    /// - Throws: `FileError`.
    package init(
        _ files: any ItemFiles, to folder: FilePath, _ choice: MediaChoice = MediaChoice(),
        fileSystem: FileSystem = FileSystem()
    ) throws {
        self.files = files
        self.folder = folder
        self.fileSystem = fileSystem
        let partials = folder.appending(Self.folderName).appending(Self.partialFolder)
        try fileSystem.removeTree(partials)
        try fileSystem.makeDirectories(partials)
        self.choice = choice
        linked = choice.links ? try LinkedMedia(files.folder, from: folder, fileSystem) : nil
        contents = try ContentIndex(folder, media: Self.folderName, fileSystem)
    }

    /// Copies the file of an item, where it is wanted, is there and is not copied yet.
    /// - Parameters:
    ///   - file: of the item.
    ///   - item: gives the copy its time.
    ///   - conversation: gives it its folder.
    ///   - checkpoint: called between pieces of the file; throw to stop.
    /// - Throws: `FileError` where it cannot be written; `DatabaseError`; whatever the checkpoint throws.
    package func export(
        _ file: ItemFile, of item: ConversationItem, in conversation: Conversation,
        checkpoint: () throws -> Void
    ) throws -> ExportedMedia {
        guard let path = file.path else { return count(ExportedMedia(.unfinished)) }
        if let known = known[path] { return known }
        let exported = try copy(file, item, conversation, checkpoint)
        known[path] = exported
        return count(exported)
    }

    private func count(_ exported: ExportedMedia) -> ExportedMedia {
        counts[exported.state, default: 0] += 1
        return exported
    }

    // MARK: Copying

    private func copy(
        _ file: ItemFile, _ item: ConversationItem, _ conversation: Conversation,
        _ checkpoint: () throws -> Void
    ) throws -> ExportedMedia {
        let target = place(of: file, conversation)
        guard choice.includes(file, of: item) else {
            // An earlier export may have it.
            let isThere = try file.size.map { try isCopied(target, size: $0) } ?? false
            return isThere ? ExportedMedia(.present, path: target) : ExportedMedia(.leftOut)
        }
        let (name, size): (String, Int64)
        switch try files.find(file) {
        case .file(let found, let contentSize): (name, size) = (found, contentSize)
        case .absent(let state, let words):
            if let words { problems.append((file.name, words)) }
            return ExportedMedia(state)
        }
        if try isCopied(target, size: size) { return ExportedMedia(.present, path: target) }
        guard choice.includes(size: size) else { return ExportedMedia(.leftOut) }
        if let linked, !file.isEncrypted {
            links += 1
            return ExportedMedia(.present, path: linked.path(name))
        }
        let own = "\(Self.folderName)/\(conversation.key)"
        if madeFolders.insert(own).inserted { try fileSystem.makeDirectories(folder.appending(own)) }
        guard let partial = try write(file, name, item, checkpoint) else { return ExportedMedia(.damaged) }
        if let twin = try contents.twin(of: partial, size: size, waiting: waiting, checkpoint: checkpoint) {
            try fileSystem.remove(partial)
            duplicates += 1
            return ExportedMedia(.present, path: twin)
        }
        contents.add(target, size: size)
        try publish(partial, target, size: size)
        return ExportedMedia(.present, path: target)
    }

    private func isCopied(_ target: String, size: Int64) throws -> Bool {
        guard let found = try fileSystem.attributes(of: folder.appending(target)) else { return false }
        return found.kind == .regular && found.size == size
    }

    /// Gives a copy its name, together with others.
    private func publish(_ partial: FilePath, _ target: String, size: Int64) throws {
        copied += 1
        copiedSize += size
        waiting[target] = partial
        waitingSize += size
        if waiting.count >= Self.mostWaiting || waitingSize >= Self.mostWaitingBytes { try flush() }
    }

    /// By the row of the file, which no other file has: so another run finds it again.
    private func place(of file: ItemFile, _ conversation: Conversation) -> String {
        "\(Self.folderName)/\(conversation.key)/\(SafeFileName("\(file.row)-\(file.name)", fallback: "\(file.row)").text)"
    }

    /// - Returns: the copy, which has no name yet; nil where the file is damaged.
    private func write(
        _ file: ItemFile, _ name: String, _ item: ConversationItem, _ checkpoint: () throws -> Void
    ) throws -> FilePath? {
        let partial = folder.appending(Self.folderName).appending(Self.partialFolder).appending("\(file.row)")
        let writer = ParallelWriter(try fileSystem.create(partial))
        do {
            try files.write(file, named: name, to: writer, checkpoint: checkpoint)
            if let time = item.time.value { try writer.setModificationTimeIfPossible(time.seconds) }
        } catch let error as any Failure where error.code == .damaged {
            try fileSystem.remove(partial)
            problems.append((file.name, error.message))
            return nil
        }
        return partial
    }

    // MARK: Putting in place

    private func flush() throws {
        // In an order, so that faults can be tried one by one.
        for (path, partial) in waiting.sorted(by: { $0.key < $1.key }) {
            try fileSystem.openForReading(partial).synchronize()
            try fileSystem.rename(partial, to: folder.appending(path))
        }
        waiting = [:]
        waitingSize = 0
    }

    /// Puts the last copies in place.
    /// - Throws: `FileError`.
    package func finish() throws {
        try flush()
        try fileSystem.removeTree(folder.appending(Self.folderName).appending(Self.partialFolder))
        for name in madeFolders { try fileSystem.synchronizeDirectory(folder.appending(name)) }
    }
}
