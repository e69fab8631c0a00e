import ValiseCryptography

extension StoreWriter {
    /// Stores a symbolic link, which programs before 0.12.13 do not read.
    ///
    /// - Parameters:
    ///   - target: as it is on disk; see ``SymbolicLinkRules``.
    ///   - path: canonical.
    ///   - basis: what is known of the path.
    /// - Throws: ``ContentStoreError``: `unsupported` for a target that leaves the folder, `invalid`, `conflict`, `damaged`;
    ///   `StorageError`; `CryptographyError`.
    package func uploadLink(
        to target: String, at path: StorePath, _ basis: WriteBasis = .anything
    ) throws -> UploadReport {
        try Self.refuseUnsafe(path)
        guard !target.isEmpty, target.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw ContentStoreError(
                .unsupported, "the target of the symbolic link cannot be stored", path.text)
        }
        try SymbolicLinkRules.check(target, at: path)
        let digest = try DigestLabel.symbolicLink.digest(of: Array(target.utf8))
        let previous = try settled(path)
        let local = LocalVersion(.link, digest, basis.clock(over: previous, device: identity.device))
        if let refusal = try refusal(local, basis, previous, path) {
            return UploadReport(
                refusal, path, digest, size: 0, clock: previous.item?.content.clock ?? local.clock,
                contentVersion: previous.item?.contentVersion ?? "")
        }
        let link = LinkManifest(
            target: target, clock: local.clock, device: identity.device,
            written: UInt64(clamping: identity.now()), path: path.text)
        let content = try PreparedContent(path, link)
        try publish(content, over: previous)
        return UploadReport(
            .uploaded, path, digest, size: 0, clock: local.clock,
            contentVersion: content.indexed.manifest.text)
    }
}
