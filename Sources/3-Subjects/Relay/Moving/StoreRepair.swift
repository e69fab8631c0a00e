package import ValiseConcurrency
import ValiseEncoding
import ValiseFailures

/// Repairs what a check finds: chunks whose bodies are missing or damaged can be uploaded again by their senders, and bodies that
/// no record names are removed.
///
/// Each is looked at once more before something is done. Bodies without a record are removed only when they are older than any upload
/// can be.
package struct StoreRepair: Sendable {
    /// Of bodies without a record, in seconds: as long as an upload may take. No younger one is ever removed.
    package static let leastAge: Int64 = 3600
    /// A day.
    package static let usualAge: Int64 = 86_400

    package let stores: RelayStores
    /// Whether all bodies are read and compared with their digests.
    package var readsContent = false
    /// Bodies without a record stay until they are so old, in seconds. Less than ``leastAge`` is that.
    package var age = usualAge
    /// See ``StoreCheck/patience``.
    package var patience: Duration = .seconds(2)
    /// Whether nothing is changed, and only said what would be.
    package var isRehearsal = false
    /// Seconds since 1970.
    package var clock: @Sendable () -> Int64 = UTCTime.clock

    package init(_ stores: RelayStores) { self.stores = stores }

    /// Checks and repairs.
    /// - Parameter progress: hears of it; throws to stop.
    /// - Throws: ``XFTPStoreError``; `Interruption`. What was repaired until then stays so.
    package func run(_ progress: ProgressHandler = { _ in }) throws -> StoreRepairReport {
        var check = StoreCheck(stores)
        check.readsContent = readsContent
        check.incomingAge = max(age, Self.leastAge)
        check.patience = patience
        check.clock = clock
        var report = StoreRepairReport(isRehearsal: isRehearsal)
        do {
            report.check = try check.run(progress) { finding in
                guard try isRehearsal || repair(finding) else { return }
                report.note(finding)
            }
            if !isRehearsal { try stores.bytes.synchronize() }
        } catch is Interruption {
            throw Interruption(state: "What was repaired stays so.")
        } catch {
            throw XFTPStoreError(error)
        }
        return report
    }

    /// - Returns: whether it still was as it was found, and is repaired.
    private func repair(_ finding: BodyFinding) throws -> Bool {
        guard let size = finding.expectedSize, let digest = finding.digest else {
            guard try !stores.records.names(finding.body, recipient: nil) else { return false }
            try stores.bytes.remove(finding.body)
            return true
        }
        let body = StoredBody(name: finding.body, size: size)
        var isRepaired = false
        try stores.records.markMissing(body) {
            let isThere =
                finding.kind == .missing
                ? try stores.bytes.has(body) : try ContentVerdict.isIntact(body, digest, stores.bytes)
            guard !isThere else { return true }
            // While no upload is completed, which might bring another body under this name.
            if finding.kind != .missing { try stores.bytes.remove(finding.body) }
            isRepaired = true
            return false
        }
        return isRepaired
    }
}

/// What was repaired.
package struct StoreRepairReport: Sendable, Codable, Equatable {
    /// Whether nothing was changed, and this only says what would be.
    package let isRehearsal: Bool
    /// What was found before.
    package internal(set) var check = StoreCheckReport()
    /// Chunks whose bodies are gone, and that their senders can upload again.
    package internal(set) var markedChunks = 0
    /// Bodies that were not what was announced.
    package internal(set) var removedDamaged = 0
    /// Bodies that no record names.
    package internal(set) var removedUnrecorded = 0
    /// Of all that were removed, in bytes.
    package internal(set) var removedSize: Int64 = 0

    init(isRehearsal: Bool) { self.isRehearsal = isRehearsal }

    mutating func note(_ finding: BodyFinding) {
        if finding.kind.isLoss { markedChunks += 1 }
        removedSize += finding.size ?? 0
        switch finding.kind {
        case .missing: break
        case .wrongSize, .damaged: removedDamaged += 1
        case .unrecorded: removedUnrecorded += 1
        }
    }
}
