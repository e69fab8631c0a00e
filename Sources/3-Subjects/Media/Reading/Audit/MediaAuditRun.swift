import ValiseAccounts
import ValiseConcurrency
import ValiseCryptoFiles
import ValiseDatabase
import ValiseFailures
import ValiseFiles

/// One audit while it runs: rows in batches, their files side by side.
final class MediaAuditRun {
    private let table: MediaTable
    private let store: any MediaStore & Sendable
    private let progress: ProgressHandler
    private let tags: TagVerification
    private var catalogue: MediaCatalogue
    private var report: MediaAuditReport
    /// Rows of large files, which come first, until their turn.
    private var counted: Set<Int64> = []
    private var contested: [Int64] = []
    private var owners: [NameDigest: Int64] = [:]

    private static let batchSize = 256

    init(
        _ table: MediaTable, _ store: any MediaStore & Sendable, path: String,
        _ connection: borrowing Connection, _ progress: @escaping ProgressHandler
    ) throws {
        self.table = table
        self.store = store
        self.progress = progress
        tags = TagVerification(store)
        report = MediaAuditReport(path: path)
        var rows: Int64 = 0
        let total = try table.count(connection)
        catalogue = try MediaCatalogue(table, store, connection) {
            if rows % 256 == 0 {
                try progress(
                    OperationProgress(
                        "reading file references", completed: rows, total: total, unit: .items))
            }
            rows += 1
        }
    }

    /// Does all of it.
    func run(_ connection: borrowing Connection) throws -> MediaAuditReport {
        for row in catalogue.large { try checkLarge(row, connection) }
        var batch: [Entry] = []
        try table.forEach(connection, damaged: { report.add(damagedRow: $0.message) }) { reference in
            guard reference.shouldBeHere else { return }
            batch.append(try entry(reference, connection))
            guard batch.count == Self.batchSize else { return }
            try settle(batch, connection)
            batch = []
        }
        try settle(batch, connection)
        try settleContested(connection)
        try noteUnreferenced()
        return report
    }

    private func checkpoint() throws {
        try progress(
            OperationProgress(
                "verifying tags", completed: min(tags.bytes, catalogue.totalBytes),
                total: catalogue.totalBytes))
    }

    // MARK: Rows

    /// A row on its way to a verdict.
    private struct Entry {
        enum State {
            case settled(MediaJudgement)
            /// Another row with the same keys names the same file, and was looked at.
            case shared(owner: Int64, size: Int64)
            case file(MediaDiagnosis.File, TagVerification.Job?)
            /// To be looked at with all the others that name the file.
            case contested
            /// Looked at already, and counted.
            case done
        }

        let reference: MediaReference
        let digest: NameDigest?
        let state: State
    }

    private func entry(_ reference: MediaReference, _ connection: borrowing Connection) throws -> Entry {
        let place: MediaPlace
        do {
            place = try store.find(reference.filePath)
        } catch {
            guard let failure = TagVerification.reading(error) else { throw error }
            let judgement = MediaDiagnosis.unread(failure.code, failure.message, 0)
            return Entry(reference: reference, digest: nil, state: .settled(judgement))
        }
        let digest = place.name.map { NameDigest($0) }
        let state = try state(of: reference, place, digest, connection)
        return Entry(reference: reference, digest: digest, state: state)
    }

    private func state(
        of reference: MediaReference, _ place: MediaPlace, _ digest: NameDigest?,
        _ connection: borrowing Connection
    ) throws -> Entry.State {
        guard case .file(let name, let size) = place, let claim = digest.flatMap({ catalogue.claims[$0] })
        else { return .settled(Self.judgement(of: place, reference)) }
        if claim.isContested { return .contested }
        if let owner = claim.owner, owner != reference.fileID { return .shared(owner: owner, size: size) }
        if counted.remove(reference.fileID) != nil { return .done }
        let file = MediaDiagnosis.File(reference: reference, name: name, size: size)
        switch reference.keys {
        case .none: return .file(file, nil)
        case .broken: return .settled(Self.brokenKey(size))
        case .complete:
            guard let keys = try table.usableKeys(of: reference.fileID, connection) else {
                return .settled(Self.brokenKey(size))
            }
            return .file(file, TagVerification.Job(name: name, keys: keys))
        }
    }

    private static func brokenKey(_ size: Int64) -> MediaJudgement {
        MediaJudgement(
            .brokenKey, "incomplete key, or wrong key length; the file cannot be decrypted",
            size: size)
    }

    /// What is to be said where no file is.
    private static func judgement(of place: MediaPlace, _ reference: MediaReference) -> MediaJudgement {
        let size = reference.expectedSize
        return switch place {
        case .missing: MediaJudgement(.missing, "the file is missing", size: size)
        case .elsewhere:
            MediaJudgement(.elsewhere, "the path leads outside the account; not checked", size: size)
        case .link: MediaJudgement(.link, "a symbolic link, which is not followed", size: size)
        case .notAFile: MediaJudgement(.notAFile, "a folder or device, not a file", size: size)
        case .impossibleName:
            MediaJudgement(.impossibleName, "the name is too long for this system", size: size)
        case .file(_, let size): MediaJudgement(.unreadable, "the file appeared during the audit", size: size)
        }
    }

    // MARK: Files

    private var diagnosis: MediaDiagnosis {
        MediaDiagnosis(
            table: table, store: store, tags: tags, catalogue: catalogue, checkpoint: checkpoint)
    }

    private func checkLarge(_ row: Int64, _ connection: borrowing Connection) throws {
        guard let reference = try table.reference(row, connection) else { return }
        let entry = try entry(reference, connection)
        guard case .file(_, .some(let job)) = entry.state else { return }
        record(try judge(entry, try tags.run(job, checkpoint: checkpoint), connection), entry)
        counted.insert(row)
    }

    private func settle(_ batch: [Entry], _ connection: borrowing Connection) throws {
        let jobs = batch.compactMap { entry in
            if case .file(_, let job) = entry.state { job } else { nil }
        }
        try checkpoint()
        var results = try tags.run(jobs, checkpoint: checkpoint).makeIterator()
        for entry in batch {
            var tag: TagVerification.Result?
            if case .file(_, .some) = entry.state { tag = results.next() }
            if let judgement = try judge(entry, tag, connection) { record(judgement, entry) }
        }
    }

    /// - Returns: nil for what is counted at another time.
    private func judge(
        _ entry: Entry, _ tag: TagVerification.Result?, _ connection: borrowing Connection
    ) throws -> MediaJudgement? {
        switch entry.state {
        case .settled(let judgement): return judgement
        case .done: return nil
        case .contested:
            contested.append(entry.reference.fileID)
            return nil
        case .shared(let owner, let size):
            let verdict = entry.digest.flatMap { catalogue.claims[$0]?.verdict } ?? .unreadable
            return MediaJudgement(
                verdict, "the same file as row \(owner), which has the details", size: size, other: owner)
        case .file(let file, _):
            return withTwin(try diagnosis.judge(file, tag: tag, connection), entry.digest, tag)
        }
    }

    private func withTwin(
        _ judgement: MediaJudgement, _ digest: NameDigest?, _ tag: TagVerification.Result?
    ) -> MediaJudgement {
        if tag == .holds { report.verified.add(judgement.size) }
        guard judgement.verdict == .ok, let digest, catalogue.claims[digest]?.hasTwin == true else {
            return judgement
        }
        return MediaJudgement(
            .nameCollision, "intact, but on Windows and macOS its name collides with another file's",
            size: judgement.size)
    }

    private func record(_ judgement: MediaJudgement?, _ entry: Entry) {
        guard let judgement else { return }
        if let digest = entry.digest { catalogue.note(judgement.verdict, of: digest) }
        report.add(judgement, of: entry.reference)
    }

    // MARK: Files of several rows

    /// At most one of the rows can be right. Which one, the tag tells, or the size of an unencrypted file.
    private func settleContested(_ connection: borrowing Connection) throws {
        for row in contested {
            guard let reference = try table.reference(row, connection),
                let file = try file(of: reference), owners[NameDigest(file.name)] == nil,
                try judgeAlone(file, connection).verdict == .ok
            else { continue }
            owners[NameDigest(file.name)] = row
            if reference.keys == .complete { report.verified.add(file.size) }
        }
        for row in contested {
            guard let reference = try table.reference(row, connection) else { continue }
            guard let file = try file(of: reference) else {
                report.add(
                    MediaJudgement(.unreadable, "the file vanished during the audit", size: 0), of: reference)
                continue
            }
            report.add(try judgeContested(file, connection), of: reference)
        }
    }

    private func file(of reference: MediaReference) throws -> MediaDiagnosis.File? {
        guard case .file(let name, let size) = try store.find(reference.filePath) else { return nil }
        return MediaDiagnosis.File(reference: reference, name: name, size: size)
    }

    private func judgeAlone(
        _ file: MediaDiagnosis.File, _ connection: borrowing Connection
    ) throws -> MediaJudgement {
        try checkpoint()
        guard file.reference.keys != .broken else { return Self.brokenKey(file.size) }
        var tag: TagVerification.Result?
        if file.reference.keys == .complete {
            guard let keys = try table.usableKeys(of: file.reference.fileID, connection) else {
                return Self.brokenKey(file.size)
            }
            tag = try tags.run(
                TagVerification.Job(name: file.name, keys: keys), checkpoint: checkpoint)
        }
        return try diagnosis.judge(file, tag: tag, connection)
    }

    private func judgeContested(
        _ file: MediaDiagnosis.File, _ connection: borrowing Connection
    ) throws -> MediaJudgement {
        guard let owner = owners[NameDigest(file.name)] else {
            let alone = try judgeAlone(file, connection)
            return MediaJudgement(
                alone.verdict, "\(alone.message); several rows refer to this file", size: file.size,
                other: alone.other)
        }
        let message =
            owner == file.reference.fileID
            ? "other rows refer to this file with another key or size; this row matches it"
            : "the file matches row \(owner), which has another key or size"
        return MediaJudgement(
            .nameCollision, message, size: file.size,
            other: owner == file.reference.fileID ? nil : owner)
    }

    // MARK: Files of no row

    private func noteUnreferenced() throws {
        try store.forEach { name, size in
            if report.files % Self.batchSize == 0 { try checkpoint() }
            report.files += 1
            guard catalogue.claims[NameDigest(name)] == nil else { return }
            report.add(unreferenced: name, size: size)
        }
    }
}
