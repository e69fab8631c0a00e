import ValiseConcurrency
import ValiseFiles
import ValiseSecrets
import ValiseXFTPWire

/// One run of an upload: sends all files that the journal does not say are finished, and tells what they come to.
struct UploadRun: Sendable {
    let request: UploadRequest
    let journal: UploadJournal
    let sending: ChunkSending

    func sendParts(_ source: any ByteSource) async throws {
        let state = journal.state
        let layouts = try state.partFiles.map { try state.files[$0].layout() }
        let progress = TransferProgress(
            "sending", total: layouts.reduce(0) { $0 + $1.encryptedSize }, report: sending.report)
        for (index, layout) in zip(state.partFiles, layouts) {
            guard case .part(let offset, let size) = state.files[index].content else { continue }
            let part = PartialSource(offset..<offset + size, of: source, path: source.path)
            try await FileSending(
                index: index, source: part, layout: layout, recipients: request.recipients, sending: sending,
                progress: progress
            ).run()
        }
    }

    // MARK: Redirects

    func sendRedirects() async throws {
        let parts = journal.state.partFiles
        for part in parts {
            for recipient in 0..<request.recipients {
                let description = try journal.state.description(ofFile: part, for: recipient)
                if try needsRedirect(description) { try await sendRedirect(description, part, recipient) }
            }
        }
    }

    private func needsRedirect(_ description: FileDescription) throws -> Bool {
        switch request.redirect {
        case .always: true
        case .never: false
        case .whenLong: try RedirectRules.isNeeded(appLinkLength: request.link(description).appLink().count)
        }
    }

    private func sendRedirect(_ description: FileDescription, _ part: Int, _ recipient: Int) async throws {
        let yaml = SharedSecret(try description.yaml())
        let index = try await BlockingExecutor.shared.run { [journal] in
            if let there = journal.state.redirectFile(part: part, recipient: recipient) { return there }
            let content = UploadFile.Content.redirect(part: part, recipient: recipient)
            try journal.append(.file(UploadFile(content, name: RedirectRules.fileName, extra: nil)))
            return journal.state.files.count - 1
        }
        let source = MemorySource(yaml, name: RedirectRules.fileName)
        let layout = try journal.state.files[index].layout(size: source.size)
        try await FileSending(
            index: index, source: source, layout: layout, recipients: 1, sending: sending, progress: nil
        ).run()
    }
}
