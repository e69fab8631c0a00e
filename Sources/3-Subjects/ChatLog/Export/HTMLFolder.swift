package import SystemPackage
package import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
package import ValiseFiles

/// Writes the pages of an export into a folder of their own, which takes the place of an earlier one when it is complete.
package struct HTMLFolder {
    /// In the folder of the export.
    package static let name = "html"

    private let fileSystem: FileSystem

    /// - Parameter fileSystem: where it is written.
    package init(fileSystem: FileSystem = FileSystem()) { self.fileSystem = fileSystem }

    /// - Parameters:
    ///   - source: where the conversations are.
    ///   - conversations: those that are written.
    ///   - folder: of the export.
    ///   - templates: of the pages.
    ///   - progress: sees the items; throw to stop.
    /// - Returns: what is wrong with items that could not be read.
    /// - Throws: `FileError`; ``HTMLExportError``; whatever `progress` throws.
    package func run(
        _ source: any ConversationSource, _ conversations: [Conversation], to folder: FilePath,
        templates: PageTemplates, progress: ProgressHandler = { _ in }
    ) throws -> [String] {
        let new = folder.appending(".\(Self.name).new")
        let spilled = folder.appending(".\(Self.name).index")
        for left in [new, spilled] {
            try fileSystem.removeTree(left)
            try fileSystem.makeDirectory(left)
        }
        let sink = FolderSink(new, fileSystem)
        var export = HTMLExport(
            HTMLOptions(templates: templates), sink: sink, spill: FolderSpill(spilled, fileSystem),
            media: Self.beside)
        var damaged: [String] = []
        let total = conversations.reduce(0) { $0 + $1.items }
        var done: Int64 = 0
        for conversation in conversations {
            export.begin(conversation)
            try source.forEachItem(
                of: conversation, newest: nil, damaged: { damaged.append($0.message) },
                { item in
                    try export.add(item)
                    done += 1
                    guard done % 1024 == 0 else { return }
                    try progress(
                        OperationProgress("writing pages", completed: done, total: total, unit: .items))
                })
            try export.end()
        }
        try export.finish()
        try fileSystem.removeTree(spilled)
        try putInPlace(new, folder)
        return damaged
    }

    /// The pages are one folder deeper than what they show.
    private static func beside(_ file: ItemFile) -> PageMedia? {
        PageMedia.exported(file).map {
            PageMedia(path: file.exported?.pathFromView, kind: $0.kind, state: $0.state)
        }
    }

    /// Between the two renames there are no pages, which the next run writes again.
    private func putInPlace(_ new: FilePath, _ folder: FilePath) throws {
        try fileSystem.synchronizeAll(new)
        let (target, old) = (folder.appending(Self.name), folder.appending(".\(Self.name).old"))
        try fileSystem.removeTree(old)
        if try fileSystem.exists(target) { try fileSystem.rename(target, to: old) }
        try fileSystem.rename(new, to: target)
        try fileSystem.synchronizeDirectory(folder)
        try fileSystem.removeTree(old)
    }
}

/// Pages as files of a folder.
private final class FolderSink: PageSink {
    private let folder: FilePath
    private let fileSystem: FileSystem
    private var made: Set<String> = []

    init(_ folder: FilePath, _ fileSystem: FileSystem) {
        self.folder = folder
        self.fileSystem = fileSystem
    }

    func write(_ path: String, _ bytes: [UInt8]) throws {
        let place = folder.pushing(FilePath(path))
        let parent = place.parentFolder
        if made.insert(parent.string).inserted { try fileSystem.makeDirectories(parent) }
        var file = try fileSystem.create(place)
        try file.write(bytes)
        try file.close()
    }
}

/// Runs of the search index as files of a folder.
private final class FolderSpill: SpillStore {
    private let folder: FilePath
    private let fileSystem: FileSystem
    private var files: [Int: SpillFile] = [:]

    init(_ folder: FilePath, _ fileSystem: FileSystem) {
        self.folder = folder
        self.fileSystem = fileSystem
    }

    private func file(_ run: Int) throws -> SpillFile {
        if let file = files[run] { return file }
        let file = SpillFile(try fileSystem.create(folder.appending("\(run)")))
        files[run] = file
        return file
    }

    func append(_ bytes: [UInt8], to run: Int) throws { try file(run).append(bytes) }

    func read(from run: Int, at offset: Int, count: Int) throws -> [UInt8] {
        try file(run).file.bytes(at: Int64(offset), count: count)
    }
}

private final class SpillFile {
    var file: OpenFile

    init(_ file: consuming OpenFile) { self.file = file }

    func append(_ bytes: [UInt8]) throws { try file.write(bytes) }
}
