import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValisePages
import ValiseRepository
import ValiseSecrets
import ValiseSessionStore
import ValiseStorage

extension SnapshotRun {
    /// How a database is read.
    private struct Reading {
        let stored: StoredDatabase
        let source: any ByteSource
        var metadata: BackupMetadata.Database
        /// Nil where no HMAC is checked.
        var file: EncryptedDatabaseFile?

        var name: String { stored.database.archiveName }
        var activity: String { "reading the \(stored.database.rawValue) database" }
    }

    /// Stores the databases of an account, all of whose pages are read. That of Session is a file among others, whose bytes are
    /// kept: nobody shall need more than them to open it.
    mutating func addDatabases(_ secret: SharedSecret?, _ progress: ProgressHandler) throws {
        switch source {
        case .account(let reader, _):
            try reader.deriveKeys(secret?.bytes.duplicate())
            for database in AccountDatabase.allCases { try add(database, of: reader, secret, progress) }
        case .session(let files): try judge(files)
        }
    }

    private mutating func judge(_ files: SessionFiles) throws {
        report.session = files.facts
        guard let damage = files.damage else { return }
        guard options.keepsDamaged else {
            throw BackupError(
                .damaged, "the database is damaged: \(damage)",
                files.folder.pushing(FilePath(files.kind.database)).string)
        }
        fail(files.kind.database, Remark("damaged: \(damage); kept as it is"))
    }

    private mutating func add(
        _ database: AccountDatabase, of reader: AccountReader, _ secret: SharedSecret?,
        _ progress: ProgressHandler
    ) throws {
        let stored = try reader.stored(database)
        let source = try reader.source(
            of: database, passphrase: secret?.bytes.duplicate(), progress: progress)
        var reading = try reading(stored, source, secret)
        let content = try storeVerified(&reading, progress) ?? storeUnverified(reading, progress)
        metadata.databases.append(reading.metadata)
        report.databases.append(
            SnapshotReport.Database(
                database: database, mode: reading.metadata.mode, pageCount: reading.metadata.pageCount,
                pagesPerGroup: reading.metadata.pagesPerGroup, newGroups: content.newCount,
                damaged: reading.metadata.damaged))
        var node = TreeNode(
            name: [], .file, mode: FileMode(posix: 0o100600),
            modified: RecordTime(seconds: stored.modificationTime))
        node.userID = ProcessIdentity.user
        node.size = UInt64(source.size)
        node.links = 1
        node.content = content.ids
        add(node, at: reading.name)
    }

    /// What is to be done with a database.
    private mutating func reading(
        _ stored: StoredDatabase, _ source: any ByteSource, _ secret: SharedSecret?
    ) throws -> Reading {
        let head = try source.bytes(at: 0, upTo: 100)
        guard !head.isEmpty, !head.starts(with: PageCodec.unencryptedMagic) else {
            return Reading(
                stored: stored, source: source, metadata: describe(stored, source, .unencrypted, head))
        }
        var reading = Reading(stored: stored, source: source, metadata: describe(stored, source, .sealed, []))
        reading.metadata.salt = Array(head.prefix(CipherSettings.saltSize))
        if reading.metadata.salt?.count != CipherSettings.saltSize { reading.metadata.salt = nil }
        guard let secret else {
            guard options.mode == .sealed else {
                throw BackupError(
                    .invalid, "without its passphrase an encrypted database can only be kept sealed",
                    stored.path.string, remedy: .givePassphrase)
            }
            return reading
        }
        do {
            reading.file = try ChatDatabase.open(source, passphrase: secret.bytes)
        } catch let error as AccountMediaError where error.code == .damaged && options.keepsDamaged {
            fail(reading.name, Remark(error))
        }
        guard let file = reading.file else { return reading }
        reading.metadata = describe(stored, source, options.mode, pageSize: file.settings.pageSize)
        reading.metadata.salt = file.key.salt
        reading.metadata.cipher = file.settings
        return reading
    }

    /// An unencrypted header states the size of pages; what is not known has that of the official programs.
    private func describe(
        _ stored: StoredDatabase, _ source: any ByteSource, _ mode: BackupMetadata.Mode, _ head: [UInt8]
    ) -> BackupMetadata.Database {
        var pageSize = CipherSettings.format4.pageSize
        if head.count >= 18 {
            let stated = Int(head[16]) << 8 | Int(head[17])
            pageSize = stated == 1 ? 65536 : stated
            if pageSize < 512 || pageSize.nonzeroBitCount != 1 { pageSize = CipherSettings.format4.pageSize }
        }
        return describe(stored, source, mode, pageSize: pageSize)
    }

    private func describe(
        _ stored: StoredDatabase, _ source: any ByteSource, _ mode: BackupMetadata.Mode, pageSize: Int
    ) -> BackupMetadata.Database {
        let first = past[Array(stored.database.archiveName.utf8)]?.content.first
        let previous = first.flatMap { try? repository.place(of: $0, .data).blob.contentLength }
        return BackupMetadata.Database(
            stored.database, mode, pageSize: pageSize,
            pagesPerGroup: PageGroups.size(
                of: source.size, pageSize: pageSize, previous: previous,
                most: TransferBuffer.pageSize / pageSize),
            pageCount: UInt32(clamping: source.size / Int64(pageSize)))
    }

    /// Stores pages whose HMACs are checked.
    /// - Returns: nil where they cannot be, or damage is kept as it is.
    private mutating func storeVerified(
        _ reading: inout Reading, _ progress: ProgressHandler
    ) throws -> ContentList? {
        guard let file = reading.file else { return nil }
        let group = reading.metadata.pagesPerGroup
        let list = ContentList(count: (Int(file.pageCount) + group - 1) / group)
        let compresses = reading.metadata.mode == .open
        let size = group * reading.metadata.pageSize
        let verification = try unsafe file.forEachBatch(compresses ? .decrypted : .encrypted) { [intake] in
            intake
        } _: { intake, first, pages in
            try unsafe intake.save(
                pages, inPiecesOf: size, compresses: compresses, to: list, from: (Int(first) - 1) / group)
        } progress: { done in
            try progress(OperationProgress(reading.activity, completed: done, total: reading.source.size))
        }
        if verification.isSound { return list }
        guard options.keepsDamaged else {
            throw file.damage(verification, named: reading.stored.path, remedy: salvage)
        }
        reading.metadata.mode = .sealed
        reading.metadata.damaged = verification.damaged
        fail(
            reading.name,
            Remark(
                verification.damaged.isEmpty
                    ? "its end is cut off; kept as it is"
                    : "damaged \(Count.noun(verification.damaged.count, "page")) "
                        + "\(verification.damaged.text()); kept as it is", remedy: salvage))
        return nil
    }

    private var salvage: Remedy? {
        guard case .account(_, .folder(let location)) = source else { return nil }
        return .salvageAccount(Remedy.Account(location))
    }

    /// Stores a file as it is.
    private func storeUnverified(_ reading: Reading, _ progress: ProgressHandler) throws -> ContentList {
        let source = reading.source
        let size = reading.metadata.pagesPerGroup * reading.metadata.pageSize
        let groups = Int((source.size + Int64(size) - 1) / Int64(size))
        let groupsInBatch = max(1, TransferBuffer.pageSize / size)
        let batchSize = groupsInBatch * size
        let list = ContentList(count: groups)
        try ParallelBatches.run(
            count: (groups + groupsInBatch - 1) / groupsInBatch, workers: ParallelBatches.waitingWorkers
        ) {
            TransferBuffer(byteCount: batchSize)
        } work: { [intake] buffer, batch in
            let offset = Int64(batch) * Int64(batchSize)
            let memory = unsafe UnsafeMutableRawBufferPointer(
                rebasing: buffer.bytes[..<Int(min(Int64(batchSize), source.size - offset))])
            defer { unsafe SecretMemory.wipe(memory) }
            try unsafe source.fill(memory, at: offset)
            try unsafe intake.save(
                UnsafeRawBufferPointer(memory), inPiecesOf: size,
                compresses: reading.metadata.mode == .unencrypted, to: list, from: batch * groupsInBatch)
        } report: { done in
            let completed = min(source.size, Int64(done) * Int64(batchSize))
            try progress(OperationProgress(reading.activity, completed: completed, total: source.size))
        }
        return list
    }
}

extension BlobIntake {
    /// Stores pieces of one size, the last one of which may be shorter.
    func save(
        _ bytes: UnsafeRawBufferPointer, inPiecesOf size: Int, compresses: Bool, to list: ContentList,
        from first: Int
    ) throws {
        var ids: [ContentID] = []
        ids.reserveCapacity(bytes.count / size + 1)
        var new = 0
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = unsafe UnsafeRawBufferPointer(
                rebasing: bytes[start..<min(bytes.count, start + size)])
            let (id, isNew) = try unsafe save(piece, compresses: compresses)
            ids.append(id)
            if isNew { new += 1 }
        }
        list.set(ids, from: first, new: new)
    }
}
