package import SystemPackage
package import ValiseChatLog
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// Renders the forms of an export again, without the account.
package struct RenderConversations: Operation {
    /// The folder of the export.
    package var folder: FilePath
    package var formats: [ViewFormat]
    /// A folder with files that replace those that pages are made with; nil for none.
    package var templates: FilePath?
    /// What is kept back.
    package var redaction = ChatRedaction()

    package init(_ folder: FilePath, as formats: [ViewFormat]) {
        self.folder = folder
        self.formats = formats
    }

    package func plan(in context: OperationContext) async throws -> ConversationExportPlan {
        try await context.blocking { [self] _ in
            ConversationExportPlan(
                path: folder.string, try opened().conversations(includesHidden: true, damaged: { _ in }),
                formats, updates: true)
        }
    }

    private func opened() throws -> ExportedLog {
        guard try ExportedLog.isThere(folder) else {
            throw OperationError(
                .notFound, "not an export of chats. Nothing was changed.", subject: folder.string)
        }
        return try ExportedLog(folder)
    }

    package func run(in context: OperationContext) async throws -> ConversationExportReport {
        try await context.blocking { [self] progress in
            let log = try opened()
            guard let lock = try DirectoryLock(folder, .exclusive) else {
                throw OperationError(
                    .inUse, "in use by another export. Nothing was changed.", subject: folder.string)
            }
            defer { withExtendedLifetime(lock) {} }
            var report = ConversationExportReport()
            report.path = folder.string
            let shown: any ConversationSource =
                redaction.isEmpty ? log : try RedactedSource(log, redaction, progress: progress)
            let conversations = try shown.conversations(
                includesHidden: true, damaged: { report.damaged.append($0.message) })
            report.conversations = conversations.count
            report.items = conversations.reduce(0) { $0 + $1.items }
            report.damaged += try ViewExport(templates: templates).run(
                shown, conversations, formats, to: folder, progress: progress)
            return report
        }
    }
}
