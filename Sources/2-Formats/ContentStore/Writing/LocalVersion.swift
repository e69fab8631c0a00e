import ValiseStorage

/// What a path can have.
package enum ContentKind: String, Sendable, Hashable {
    case file
    case link
}

/// The version of a path that a writer has.
struct LocalVersion: Sendable {
    let kind: ContentKind
    /// Of the content, or of the target of a link.
    let digest: ContentDigest
    let clock: VectorClock

    init(_ kind: ContentKind, _ digest: ContentDigest, _ clock: VectorClock) {
        self.kind = kind
        self.digest = digest
        self.clock = clock
    }
}

extension WriteBasis {
    /// The clock of the version here, with its change counted.
    func clock(over previous: PathContent, device: String) -> VectorClock {
        var clock =
            switch self {
            case .anything: previous.item?.content.clock ?? VectorClock()
            case .clock(let known): known
            case .nothing: VectorClock()
            }
        clock.tick(device)
        return clock
    }
}

extension StoredContent {
    package var kind: ContentKind {
        switch self {
        case .file: .file
        case .link: .link
        }
    }

    /// What stands for the content in comparisons, with its kind.
    /// - Throws: `CryptographyError`.
    func isSame(as local: LocalVersion) throws -> Bool {
        switch self {
        case .file(let file): local.kind == .file && file.content == local.digest
        case .link(let link): try local.kind == .link && link.identity() == local.digest
        }
    }

    /// The digest of the content, or what stands for it of a link.
    /// - Throws: `CryptographyError`.
    package func digest() throws -> ContentDigest {
        switch self {
        case .file(let file): file.content
        case .link(let link): try link.identity()
        }
    }
}

extension StoreWriter {
    /// Why a version is not uploaded; nil where it is.
    func refusal(
        _ local: LocalVersion, _ basis: WriteBasis, _ previous: PathContent, _ path: StorePath
    ) throws -> UploadReport.Outcome? {
        guard let item = previous.item else { return nil }
        let isSame = try item.content.isSame(as: local)
        let outcome = ClockOutcome(local: local.clock, remote: item.content.clock, isSameContent: isSame)
        // Whoever expected nothing has seen nothing of it, whatever its clock says.
        if basis == .nothing, outcome != .upToDate { return .conflict(try conflict(local, item, path)) }
        switch outcome {
        case .upToDate: return .unchanged
        case .localNewer: return nil
        case .remoteNewer: return .remoteNewer
        case .conflict: return .conflict(try conflict(local, item, path))
        }
    }

    private func conflict(
        _ local: LocalVersion, _ item: StoredItem, _ path: StorePath
    ) throws -> ConflictInfo {
        ConflictInfo(
            path: path.text, localClock: local.clock, remoteClock: item.content.clock,
            localContent: local.digest.text, remoteContent: try item.content.digest().text,
            localDevice: identity.device, remoteDevice: item.content.device,
            detected: UInt64(clamping: identity.now()),
            remoteManifest: try layout.manifest(item.indexed.manifest).text)
    }

    /// What an upload of this file would meet: nil where it would go through, or would not be needed.
    ///
    /// - Parameters:
    ///   - digest: of the file here.
    ///   - basis: what is known of the path.
    /// - Throws: as ``ContentStore/content(of:)``.
    package func checkConflict(
        _ path: StorePath, digest: ContentDigest, _ basis: WriteBasis
    ) throws -> ConflictInfo? {
        let previous = try store.content(of: path)
        let local = LocalVersion(.file, digest, basis.clock(over: previous, device: identity.device))
        guard case .conflict(let info)? = try refusal(local, basis, previous, path) else { return nil }
        return info
    }
}
