import ValiseXFTPWire

/// Puts the descriptions that redirects lead to in their places.
struct DescriptionResolving: Sendable {
    let receiving: ChunkReceiving
    /// The largest file, in bytes as it travels.
    let largest: Int64

    /// - Parameter approval: let the relays of these descriptions through; it is asked about those behind redirects.
    /// - Throws: ``FileTransferError``; whatever the question of the approval throws.
    func resolve(
        _ descriptions: [FileDescription], _ approval: RelayApproval
    ) async throws -> [FileDescription] {
        var files: [FileDescription] = []
        for description in descriptions { files.append(try await resolve(description)) }
        try await approval.check(files.flatMap(\.relays), besides: descriptions.flatMap(\.relays))
        return files
    }

    private func resolve(_ description: FileDescription) async throws -> FileDescription {
        guard let redirect = description.redirect else { return description }
        guard redirect.size <= largest else {
            throw FileTransferError.tooLarge(redirect.size, limit: largest)
        }
        let file = try await RedirectReceiving(receiving: receiving).description(
            behind: description, redirect)
        try file.checkReceivable(largest: largest)
        return file
    }
}
