import ValiseConcurrency
import ValiseFailures

extension StoreMigrationWork {
    /// Compares both sides: records with records, then the records of the destination with its bytes.
    func verify(_ progress: ProgressHandler) throws {
        var comparison = MigrationComparison()
        if migration.scope == .bytes {
            comparison.destination = report.source
        } else {
            try compareRecords(&comparison, progress)
            comparison.usage = try destination.records.usage()
        }
        let records = migration.scope == .bytes ? source.records : destination.records
        var check = StoreCheck(RelayStores(records, destination.bytes))
        check.readsContent = migration.verifiesContent
        check.clock = migration.clock
        // No relay runs.
        check.patience = .zero
        comparison.check = try check.run(progress)
        comparison.conclude(report)
        note { $0.comparison = comparison }
    }

    private func compareRecords(_ comparison: inout MigrationComparison, _ progress: ProgressHandler) throws {
        var pairs = StorePairs(source.records, destination.records, pageSize: migration.pageSize)
        var count: Int64 = 0
        while let pair = try pairs.next() {
            if let known = pair.destination {
                comparison.destination.add(known)
                if let body = known.body { comparison.destination.add(body) }
            }
            if let difference = try difference(pair) { comparison.note(difference) }
            count += 1
            if count % 1000 == 0 {
                try progress(OperationProgress("comparing records", completed: count, unit: .items))
            }
        }
    }

    private func difference(_ pair: StorePair) throws -> StoreDifference? {
        guard let one = pair.source else {
            return pair.destination.map { StoreDifference(.surplusChunk, $0.chunk.id) }
        }
        guard let other = pair.destination else { return StoreDifference(.missingChunk, one.chunk.id) }
        if one.chunk != other.chunk { return StoreDifference(.otherStatus, one.chunk.id) }
        // Where the destination lost one and got it again, it came last there.
        if Set(one.recipients) != Set(other.recipients) {
            return StoreDifference(.otherRecipients, one.chunk.id)
        }
        switch (one.body, other.body) {
        case (nil, nil): return nil
        case (nil, _?): return StoreDifference(.surplusBody, one.chunk.id)
        case (let body?, nil):
            // What the source does not have itself cannot have arrived.
            let isLost = try one.chunk.status != .active || !source.bytes.has(body, digest: one.chunk.digest)
            return isLost ? nil : StoreDifference(.missingBody, one.chunk.id)
        case (let body?, let known?):
            let isSame = body.size == known.size && (!bodiesStay || body.name == known.name)
            return isSame ? nil : StoreDifference(.missingBody, one.chunk.id)
        }
    }
}
