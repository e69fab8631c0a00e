package import SystemPackage
package import ValiseConcurrency
import ValiseFailures
package import ValiseFiles
import ValiseMedia

/// In which forms conversations are written for people and their programs.
package enum ViewFormat: String, Sendable, CaseIterable {
    case text, markdown, csv

    /// Makes a renderer of its own for each conversation.
    func renderer() -> any ConversationRenderer {
        switch self {
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

    /// - Parameter fileSystem: where it is written.
    package init(fileSystem: FileSystem = FileSystem()) { self.fileSystem = fileSystem }

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
        guard !formats.isEmpty else { return [] }
        var damaged: [String] = []
        let total = conversations.reduce(0) { $0 + $1.items }
        var done: Int64 = 0
        for format in formats { try fileSystem.makeDirectories(folder.appending(format.rawValue)) }
        for conversation in conversations {
            var views = try formats.map { try View($0, conversation, folder, fileSystem) }
            try source.forEachItem(
                of: conversation, newest: nil, damaged: { damaged.append($0.message) },
                { item in
                    for index in views.indices { try views[index].add(item) }
                    done += 1
                    guard done % 1024 == 0 else { return }
                    try progress(
                        OperationProgress("writing views", completed: done, total: total, unit: .items))
                })
            for view in views { try view.finish() }
        }
        return damaged
    }
}

/// A view of a conversation while it is written.
private struct View {
    private var renderer: any ConversationRenderer
    private let output: LineOutput

    init(
        _ format: ViewFormat, _ conversation: Conversation, _ folder: FilePath, _ fileSystem: FileSystem
    ) throws {
        renderer = format.renderer()
        let name = SafeFileName(conversation.name, fallback: conversation.kind.rawValue)
        let file = "\(name.numbered(1)) (\(conversation.key)).\(type(of: renderer).fileExtension)"
        output = try LineOutput(folder.appending(format.rawValue).appending(file), fileSystem)
        try output.write(Array(renderer.beginning(of: conversation).utf8))
    }

    mutating func add(_ item: ConversationItem) throws {
        guard item.isShown else { return }
        try output.write(Array(renderer.text(of: item).utf8))
    }

    func finish() throws { try output.finish() }
}
