package import SystemPackage
package import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
package import ValiseFiles
import ValiseMedia

/// In which forms conversations are written for people and their programs.
package enum ViewFormat: String, Sendable, CaseIterable {
    case html, text, markdown, csv

    /// Makes a renderer of its own for each conversation; nil for pages, which are no file a conversation.
    func renderer() -> (any ConversationRenderer)? {
        switch self {
        case .html: nil
        case .text: TextRenderer()
        case .markdown: MarkdownRenderer()
        case .csv: CSVRenderer()
        }
    }
}

/// Writes views of an export: a file a conversation, in a folder for each format. Views are derived: what was there before is
/// replaced.
package struct ViewExport {
    private let fileSystem: FileSystem
    private let templates: FilePath?

    /// - Parameters:
    ///   - templates: a folder with files that replace those that pages are made with; nil for none.
    ///   - fileSystem: where it is written.
    package init(templates: FilePath? = nil, fileSystem: FileSystem = FileSystem()) {
        self.templates = templates
        self.fileSystem = fileSystem
    }

    /// - Parameters:
    ///   - source: where the conversations are.
    ///   - conversations: those that are written.
    ///   - formats: the forms.
    ///   - folder: the folder, in which each format has its own.
    ///   - progress: sees the items; throw to stop.
    /// - Returns: what is wrong with items that could not be read.
    /// - Throws: `FileError`; whatever `progress` throws.
    package func run(
        _ source: any ConversationSource, _ conversations: [Conversation], _ formats: [ViewFormat],
        to folder: FilePath, progress: ProgressHandler = { _ in }
    ) throws -> [String] {
        var damaged: [String] = []
        if formats.contains(.html) {
            damaged += try HTMLFolder(fileSystem: fileSystem).run(
                source, conversations, to: folder, templates: pageTemplates(), progress: progress)
        }
        // Each once: two writers of a file would lock each other out.
        let formats = ViewFormat.allCases.filter { $0 != .html && formats.contains($0) }
        guard !formats.isEmpty else { return damaged }
        let total = conversations.reduce(0) { $0 + $1.items }
        var done: Int64 = 0
        for format in formats { try fileSystem.makeDirectories(folder.appending(format.rawValue)) }
        var written: Set<FilePath> = []
        for conversation in conversations {
            var views = try formats.compactMap { try View($0, conversation, folder, fileSystem) }
            try source.forEachItem(
                of: conversation, newest: nil, damaged: { damaged.append($0.message) },
                { item in
                    for index in views.indices { try views[index].add(item) }
                    done += 1
                    guard done % 1024 == 0 else { return }
                    try progress(
                        OperationProgress("writing views", completed: done, total: total, unit: .items))
                })
            for view in views {
                try view.finish()
                written.insert(view.path)
            }
        }
        for format in formats { try removeOthers(than: written, of: format, in: folder) }
        return damaged
    }

    /// Views are named after their conversations, which may have got other names.
    private func removeOthers(
        than written: Set<FilePath>, of format: ViewFormat, in folder: FilePath
    ) throws {
        guard let renderer = format.renderer() else { return }
        let folder = folder.appending(format.rawValue)
        for entry in try fileSystem.list(folder) where entry.kind == .regular {
            guard let name = entry.name, case let path = folder.appending(name), !written.contains(path),
                path.extension == type(of: renderer).fileExtension
            else { continue }
            try fileSystem.remove(path)
        }
        try fileSystem.synchronizeDirectory(folder)
    }

    private static let largestTemplate = 4 << 20

    /// - Throws: ``HTMLExportError`` for a file that replaces nothing, or is no template; `FileError`.
    package func pageTemplates() throws -> PageTemplates {
        guard let templates else { return try PageTemplates() }
        var own: [String: [UInt8]] = [:]
        for entry in try fileSystem.list(templates) where entry.kind == .regular {
            guard let name = entry.name else { continue }
            own[name] = try fileSystem.contents(
                of: templates.appending(name), limit: Self.largestTemplate)
        }
        return try PageTemplates(own: own)
    }
}

/// A view of a conversation while it is written.
private struct View {
    private var renderer: any ConversationRenderer
    private let output: LineOutput
    let path: FilePath

    init?(
        _ format: ViewFormat, _ conversation: Conversation, _ folder: FilePath, _ fileSystem: FileSystem
    ) throws {
        guard let renderer = format.renderer() else { return nil }
        self.renderer = renderer
        let name = SafeFileName(conversation.name, fallback: conversation.kind.rawValue)
        let file = name.ending(
            in: " (\(conversation.key)).\(type(of: renderer).fileExtension)",
            reserving: PendingFile.suffix.utf8.count)
        path = folder.appending(format.rawValue).appending(file)
        output = try LineOutput(path, fileSystem)
        try output.write(Array(self.renderer.beginning(of: conversation).utf8))
    }

    mutating func add(_ item: ConversationItem) throws {
        guard item.isShown else { return }
        try output.write(Array(renderer.text(of: item).utf8))
    }

    func finish() throws { try output.finish() }
}
