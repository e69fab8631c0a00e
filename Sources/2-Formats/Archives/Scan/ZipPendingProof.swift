import ValiseFiles

/// Compares the checksums of all entries that were passed over, on all cores.
struct ZipPendingProof {
    let bytes: ZipBytes
    let proof: ZipProof
    let directories: [ZipFoundDirectory]
    let progress: (Int64) throws -> Void

    func run(_ entries: inout [ZipWalkedEntry]) throws {
        var checked: [ZipEntry] = []
        var places: [Int64: Int] = [:]
        for (index, walked) in entries.enumerated() where walked.isPending {
            guard bytes.allows(Int64(walked.entry.data.count)) else {
                entries[index].entry.state = .lost(.notTried)
                continue
            }
            guard let entry = entry(walked) else { continue }
            places[walked.entry.headerOffset] = index
            checked.append(entry)
        }
        var named: [Int64: [ZipLooseHeader]]?
        for (entry, error) in try ContentsCheck(checked, bytes.source).run(progress) {
            guard let index = places[entry.localOffset] else { continue }
            entries[index].entry.state = .lost(loss(error))
            let claims = named ?? recordsByOffset()
            named = claims
            try tryAlternatives(&entries[index], claims)
        }
    }

    private func entry(_ walked: ZipWalkedEntry) -> ZipEntry? {
        guard let method = walked.entry.method, let size = walked.entry.size,
            let checksum = walked.entry.checksum
        else { return nil }
        return ZipEntry(
            name: walked.entry.shownName, isFolder: false, method: method,
            compressedSize: Int64(walked.entry.data.count), size: size, checksum: checksum,
            localOffset: walked.entry.headerOffset, flags: walked.flags)
    }

    private func loss(_ error: ZipError) -> ZipScannedEntry.Loss {
        switch error.defect {
        case .checksum: .checksum
        case .truncated: .cutOff
        default: .data
        }
    }

    private func recordsByOffset() -> [Int64: [ZipLooseHeader]] {
        var records: [Int64: [ZipLooseHeader]] = [:]
        for directory in directories {
            for record in directory.records {
                if let offset = directory.offset(of: record) { records[offset, default: []].append(record) }
            }
        }
        return records
    }

    /// Where two headers contradict each other, either may be the damaged one.
    private func tryAlternatives(
        _ walked: inout ZipWalkedEntry, _ named: [Int64: [ZipLooseHeader]]
    ) throws {
        let offset = walked.entry.headerOffset
        let start = walked.entry.data.lowerBound
        guard let local = try ZipLooseHeader.local(at: offset, bytes) else { return }
        // At the same place a directory's header is another claim, unless it is of another name.
        let records = named[offset, default: []].filter { $0.rawName == local.rawName }
        for claim in [local] + records {
            let (end, overflow) = start.addingReportingOverflow(claim.compressedSize)
            guard !overflow, end <= bytes.size, let method = claim.knownMethod, !claim.isEncrypted,
                !claim.hasUnknownSize, claim.checksum != 0 || claim.size == 0,
                method != walked.entry.method
                    || (claim.compressedSize, claim.size, claim.checksum)
                        != (
                            Int64(walked.entry.data.count), walked.entry.size ?? -1,
                            walked.entry.checksum ?? 0
                        )
            else { continue }
            let loss = try proof.loss(
                of: start..<end, method: method, size: claim.size, checksum: claim.checksum)
            guard loss == nil else { continue }
            walked.entry.methodCode = method.rawValue
            walked.entry.data = start..<end
            walked.entry.size = claim.size
            walked.entry.checksum = claim.checksum
            walked.entry.end = max(walked.entry.end, end)
            walked.entry.state = .intact
            return
        }
    }
}
