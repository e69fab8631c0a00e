import ValiseEncoding
import ValiseFailures
import ValiseMediaRules
import ValiseSecrets
import ValiseXFTPWire

/// How a source is divided: into one file, or into parts where one description must not name so much.
enum UploadParts {
    /// More than any header has.
    private static let headerSpace: Int64 = 1024

    /// - Parameter largest: that one description names, in bytes as it travels.
    /// - Throws: ``FileTransferError``: `invalid`; `SecretsError`.
    static func files(size: Int64, name: String, largest: Int64) throws -> [UploadFile] {
        if try EncryptedFileLayout(fileSize: size, name: name).encryptedSize <= largest {
            return [try file(0, size, name, nil)]
        }
        let step = largest - headerSpace
        let count = Int((size + step - 1) / step)
        let id = FilePart.newID()
        return try (0..<count).map { number in
            let offset = Int64(number) * step
            let part = FilePart(id: id, part: number + 1, of: count, offset: offset, size: size)
            let partName = FilePart.name(name, part: number + 1)
            return try file(offset, min(step, size - offset), partName, part.text())
        }
    }

    /// Sees to it that the journal has space for the fewest chunks that a source can have, before anything is made for
    /// each. One recipient is the least.
    /// - Throws: ``FileTransferError``: `tooLarge`.
    static func checkSize(_ size: Int64, subject: String) throws(FileTransferError) {
        let chunks = journalSpace / Int64(chunkRecord + recipientRecord)
        let limit = chunks * ChunkSize.mib4.bytes
        guard size <= limit else { throw FileTransferError.tooLarge(size, limit: limit, subject: subject) }
    }

    /// Sees to it that the names and keys of all recipients find space in the journal.
    /// - Throws: ``FileTransferError``: `invalid`; ``XFTPWireError``.
    static func checkJournal(of files: [UploadFile], recipients: Int) throws {
        let chunks = try files.reduce(0) { try $0 + $1.layout().chunks.count }
        let size =
            chunks * (chunkRecord + recipients * recipientRecord) + files.count * recipients * redirectRecords
        guard Int64(size) <= journalSpace else {
            throw FileTransferError.invalid(
                "too many recipients: each of the \(Count.text(recipients, "recipient")) needs "
                    + "a key for each of the "
                    + "\(Count.text(chunks, "chunk")). Nothing was sent.",
                remedy: .sendToFewer)
        }
    }

    /// Of the journal, in bytes; the rest is for what is registered again.
    private static let journalSpace = JournalFile.largest * 2 / 3

    // In bytes, about; some chunks are registered again.
    private static let chunkRecord = 512
    private static let recipientRecord = 60
    private static let redirectRecords = 1024

    private static func file(_ offset: Int64, _ size: Int64, _ name: String, _ extra: String?) throws
        -> UploadFile
    {
        try UploadFile(.part(offset: offset, size: size), name: name, extra: extra)
    }
}

extension UploadFile {
    /// With a new key.
    init(_ content: Content, name: String, extra: String?) throws {
        self.init(
            content: content, name: name, extra: extra, key: try SecretSeed(),
            nonce: (0..<24).map { _ in UInt8.random(in: 0...255) })
    }
}

extension FilePart {
    static func newID() -> String {
        Base64URL.encode((0..<16).map { _ in UInt8.random(in: 0...255) }).filter { $0 != "=" }
    }
}
