import ValiseAccounts
import ValiseCryptoFiles
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Finds out why a file is not as its row says.
///
/// A tag does not tell a wrong key from damage. What does: whether another row's key fits, and whether the content
/// makes sense once it is decrypted.
struct MediaDiagnosis {
    /// A file of the store that a row names.
    struct File {
        let reference: MediaReference
        /// Its path in the store.
        let name: String
        /// In bytes.
        let size: Int64
    }

    let table: MediaTable
    let store: any MediaStore
    let tags: TagVerification
    let catalogue: MediaCatalogue
    let checkpoint: () throws -> Void

    /// - Parameter tag: nil for a file that is not encrypted.
    /// - Throws: ``DatabaseError``; `SecretsError`; what stops the audit.
    func judge(
        _ file: File, tag: TagVerification.Result?, _ connection: borrowing Connection
    ) throws -> MediaJudgement {
        do {
            switch tag {
            case .valid: return whole(file)
            case .doesNotHold: return try encrypted(file, connection)
            case .failed(let code, let message): return Self.unread(code, message, file.size)
            case nil: return try plain(file, connection)
            }
        } catch {
            guard let failure = TagVerification.reading(error) else { throw error }
            return Self.unread(failure.code, failure.message, file.size)
        }
    }

    static func unread(_ code: FailureCode, _ message: String, _ size: Int64) -> MediaJudgement {
        MediaJudgement(code == .damaged ? .damaged : .unreadable, message, size: size)
    }

    private func whole(_ file: File) -> MediaJudgement {
        if file.size == file.reference.expectedSize { return MediaJudgement(.ok, size: file.size) }
        return MediaJudgement(
            .wrongSize, "the tag is valid, so the file is intact, but \(Self.sizes(file))", size: file.size)
    }

    // MARK: With a key

    private func encrypted(_ file: File, _ connection: borrowing Connection) throws -> MediaJudgement {
        let isContentSize = file.size == file.reference.fileSize
        // Where the size is another one, no tag is known to be there.
        let hasTag = file.size == file.reference.expectedSize
        let length = file.size - (hasTag ? CryptoFileCipher.overhead : 0)
        let raw = try sample(file, upTo: file.size)
        if isContentSize, ContentEvidence(raw) == .recognised { return unencryptedWithKey(file) }
        if let other = try owner(of: file, connection) {
            return MediaJudgement(
                .wrongKey, "wrong key; the key of row \(other) matches", size: file.size, other: other)
        }
        var content = Array(raw.prefix(Int(clamping: max(0, length))))
        try table.usableKeys(of: file.reference.fileID, connection)?.decryptUnverified(&content)
        let evidence = ContentEvidence(content)
        if hasTag { return sameSize(file, content.isEmpty, evidence) }
        let stored = ContentEvidence(raw)
        if isContentSize, stored > evidence { return unencryptedWithKey(file) }
        let isShort = file.size < file.reference.expectedSize
        if isShort, evidence > (isContentSize ? stored : .weak) {
            return MediaJudgement(
                .damaged, "truncated, including the tag; the key is correct", size: file.size)
        }
        return MediaJudgement(.wrongSize, Self.sizes(file), size: file.size)
    }

    private func sameSize(
        _ file: File, _ isEmpty: Bool, _ evidence: ContentEvidence
    ) -> MediaJudgement {
        if evidence >= .uneven, !isEmpty {
            return MediaJudgement(
                .damaged, "the key is correct, but some bytes are damaged", size: file.size)
        }
        return MediaJudgement(
            .wrongKey, "wrong key, or damaged from the start; no other row's key matches",
            size: file.size)
    }

    private func unencryptedWithKey(_ file: File) -> MediaJudgement {
        MediaJudgement(
            .unencryptedWithKey, "the file is not encrypted, but its row has a key; the apps cannot show it",
            size: file.size)
    }

    // MARK: Without a key

    private func plain(_ file: File, _ connection: borrowing Connection) throws -> MediaJudgement {
        if file.size == file.reference.fileSize { return MediaJudgement(.ok, size: file.size) }
        guard file.reference.fileSize >= 0, file.size - file.reference.fileSize == CryptoFileCipher.overhead,
            ContentEvidence(try sample(file, upTo: file.size)) < .uneven
        else { return MediaJudgement(.wrongSize, Self.sizes(file), size: file.size) }
        let other = try owner(of: file, connection)
        let key = other.map { "the key of row \($0) matches" } ?? "no other row's key matches"
        return MediaJudgement(
            .encryptedWithoutKey, "the file is encrypted, but its row has no key; \(key)", size: file.size,
            other: other)
    }

    // MARK: Looking

    /// A row whose key opens the file.
    private func owner(of file: File, _ connection: borrowing Connection) throws -> Int64? {
        let rows = catalogue.rows(withKeyForSize: file.size, except: file.reference.fileID)
        for row in rows.prefix(MediaCatalogue.mostTries) {
            try checkpoint()
            guard let keys = try table.usableKeys(of: row, connection) else { continue }
            let job = TagVerification.Job(name: file.name, keys: keys)
            if try tags.run(job, checkpoint: checkpoint) == .valid { return row }
        }
        return nil
    }

    /// The beginning of a file.
    private func sample(_ file: File, upTo end: Int64) throws -> [UInt8] {
        let source = try store.source(file.name)
        let length = max(0, min(end, source.size, Int64(ContentEvidence.sampleSize)))
        var bytes = [UInt8](repeating: 0, count: Int(length))
        try unsafe bytes.withUnsafeMutableBytes { try unsafe source.fill($0, at: 0) }
        return bytes
    }

    private static func sizes(_ file: File) -> String {
        guard file.reference.fileSize >= 0 else { return "the row has an invalid size" }
        let (found, expected) = Count.bytes(file.size, and: file.reference.expectedSize)
        return "it has \(found) instead of \(expected)"
    }
}
