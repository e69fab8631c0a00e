import ValiseXFTPWire

/// What a complete upload comes to.
extension UploadState {
    /// - Throws: ``FileTransferError``: `damaged` where the journal lacks something; ``XFTPWireError``.
    func uploadedFile(_ id: String) throws -> UploadedFile {
        guard let request else { throw RecordInput.damage }
        return UploadedFile(
            id: id, name: request.name, size: request.source.size, created: request.created,
            parts: try partFiles.map { try part($0, request) })
    }

    private func part(_ file: Int, _ request: UploadRequest) throws -> UploadedPart {
        let recipients = try (0..<request.recipients).map { try description(ofFile: file, for: $0) }
        let redirects = try recipients.enumerated().map { recipient, description in
            try redirectFile(part: file, recipient: recipient).map { try redirect(to: description, $0) }
        }
        let links = try zip(recipients, redirects).map { try request.link($1?.recipient ?? $0) }
        return UploadedPart(
            name: files[file].name, sender: try description(ofFile: file, for: nil),
            recipients: recipients, redirects: redirects, links: links)
    }

    private func redirect(to description: FileDescription, _ file: Int) throws -> UploadedRedirect {
        var outer = try self.description(ofFile: file, for: 0)
        outer.redirect = description.redirectHere
        return UploadedRedirect(sender: try self.description(ofFile: file, for: nil), recipient: outer)
    }
}

extension UploadRequest {
    /// - Throws: ``XFTPWireError``.
    func link(_ description: FileDescription) throws -> FileLink { try FileLink(description, data: data) }
}
