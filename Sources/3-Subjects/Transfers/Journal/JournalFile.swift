import Synchronization
import SystemPackage
import ValiseCryptography
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// An append-only file of records (Documentation/formats/transfer.md), locked while it is used.
///
/// A record that was not written to its end, and what lies behind it, counts as not written.
final class JournalFile: Sendable {
    private struct State: ~Copyable, Sendable {
        /// Nil once it is closed.
        var file: OpenFile?
        /// Where the next record goes.
        var end: Int64
    }

    private let state: Mutex<State>
    private let path: FilePath
    /// Whether what was in it could not be read and was taken away.
    let wasReset: Bool

    static let magic = Array("valise transfer 1\n".utf8)
    /// In bytes: some million keys; what is larger is no journal.
    static let largest: Int64 = 256 << 20
    private static let checksumSize = 8

    private init(_ file: consuming OpenFile, end: Int64, wasReset: Bool = false) {
        path = file.path
        self.wasReset = wasReset
        state = Mutex(State(file: file, end: end))
    }

    /// Makes a journal. Its name is durable with its folder.
    /// - Returns: nil when another run made it this moment.
    /// - Throws: ``FileError``.
    static func create(_ path: FilePath, fileSystem: FileSystem) throws -> JournalFile? {
        do {
            let file = try fileSystem.create(path)
            guard try file.lockRange(.exclusive, start: 0, length: 1) else { return nil }
            try unsafe magic.withUnsafeBytes { try unsafe file.write($0, at: 0) }
            return JournalFile(file, end: Int64(magic.count))
        } catch let error as FileError where error.code == .alreadyExists {
            return nil
        }
    }

    /// Opens a journal and reads its records.
    ///
    /// - Parameters:
    ///   - isResetWhenDamaged: whether one that cannot be read is begun anew.
    ///   - replay: gets each record in its order.
    /// - Returns: nil when another run uses it.
    /// - Throws: ``FileError``, `notFound` also where another run removed it at this moment; ``FileTransferError``;
    ///   whatever `replay` throws.
    static func open(
        _ path: FilePath, fileSystem: FileSystem, isResetWhenDamaged: Bool = false,
        replay: (inout RecordInput) throws -> Void
    ) throws -> JournalFile? {
        let file = try fileSystem.openForUpdating(path)
        guard try file.lockRange(.exclusive, start: 0, length: 1) else { return nil }
        // Between the two, another run may have removed it, or made another one.
        guard let named = try fileSystem.attributes(of: path), try named.isSameFile(as: file.attributes())
        else {
            throw FileError(.notFound, "another run just removed this journal", path)
        }
        var end = Int64(magic.count)
        var wasReset = false
        do {
            end += try read(file) { input in
                try replay(&input)
                return true
            }
        } catch let error as FileTransferError where error.code == .damaged && isResetWhenDamaged {
            wasReset = true
            try file.truncate()
        }
        let size = try file.size()
        if size < Int64(magic.count) { try unsafe magic.withUnsafeBytes { try unsafe file.write($0, at: 0) } }
        if size > end { try file.truncate(to: end) }
        return JournalFile(file, end: end, wasReset: wasReset)
    }

    /// Reads records of a journal that other runs may write to meanwhile.
    ///
    /// - Parameter replay: gets each in its order, and returns whether it wants the next.
    /// - Throws: ``FileError``; ``FileTransferError``; whatever `replay` throws.
    static func look(
        _ path: FilePath, fileSystem: FileSystem, replay: (inout RecordInput) throws -> Bool
    ) throws {
        _ = try read(try fileSystem.openForReading(path), replay)
    }

    /// Whether another run uses a journal.
    /// - Throws: ``FileError``.
    static func isUsed(_ path: FilePath, fileSystem: FileSystem) throws(FileError) -> Bool {
        try fileSystem.openForUpdating(path).lockHolder(start: 0, length: 1) != nil
    }

    /// - Returns: the size of the records that were read, in bytes.
    private static func read(
        _ file: borrowing OpenFile, _ replay: (inout RecordInput) throws -> Bool
    ) throws -> Int64 {
        let size = try file.size()
        guard size <= largest else { throw RecordInput.damage }
        let content = try unsafe SecretBytes(capacity: Int(size)) { try unsafe file.read(into: $0, at: 0) }
        var end = magic.count
        try unsafe content.withBytes { bytes in
            // Killed at its very beginning, it has no records either.
            guard unsafe bytes.prefix(magic.count).elementsEqual(magic.prefix(bytes.count)) else {
                throw RecordInput.damage
            }
            while let record = unsafe record(in: bytes, at: end) {
                var input = unsafe RecordInput(record)
                guard try replay(&input) else { break }
                end += 4 + record.count + checksumSize
            }
        }
        return Int64(end - magic.count)
    }

    /// - Returns: nil where no whole record begins.
    private static func record(in bytes: UnsafeRawBufferPointer, at start: Int) -> UnsafeRawBufferPointer? {
        guard bytes.count - start >= 4 + checksumSize else { return nil }
        let length = unsafe Int(
            UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
        guard length > 0, length <= bytes.count - start - 4 - checksumSize else { return nil }
        let record = unsafe UnsafeRawBufferPointer(rebasing: bytes[start + 4..<start + 4 + length])
        let claimed = unsafe bytes[start + 4 + length..<start + 4 + length + checksumSize]
        return unsafe checksum(record).elementsEqual(claimed) ? record : nil
    }

    /// Makes all records durable.
    /// - Throws: ``FileError``.
    func synchronize() throws { try withFile { file, _ in try file.synchronize() } }

    /// Gives the lock back. Nothing can be appended any more.
    func close() { state.withLock { $0.file = nil } }

    private func withFile(_ body: (borrowing OpenFile, inout Int64) throws -> Void) throws {
        try state.withLock { state in
            switch state.file {
            case .some(let file): try body(file, &state.end)
            case .none:
                throw FileError(.failed, "the transfer journal was closed too early", path)
            }
        }
    }

    /// Takes all records away.
    /// - Throws: ``FileError``.
    func reset() throws {
        try withFile { file, end in
            end = Int64(Self.magic.count)
            try file.truncate(to: end)
        }
    }

    private static func checksum(_ record: UnsafeRawBufferPointer) -> ArraySlice<UInt8> {
        var hash = SHA256()
        unsafe hash.update(record)
        return hash.finalize().prefix(checksumSize)
    }

    /// Adds a record. A kill does not lose it; a power cut does unless it is flushed.
    ///
    /// - Parameter durable: whether it is flushed, and all before it.
    /// - Throws: ``FileError``; ``FileTransferError`` for a field that is too long; `SecretsError`.
    func append(_ record: some JournalRecord, durable: Bool) throws {
        var counting = unsafe RecordOutput()
        record.encode(to: &counting)
        guard !counting.isTooLong else {
            throw FileTransferError.invalid(
                "a name or text in this transfer is longer than \(RecordOutput.longestField) bytes")
        }
        let length = counting.count
        let framed = try unsafe SecretBytes(capacity: 4 + length + Self.checksumSize) { memory in
            var output = unsafe RecordOutput(memory)
            output.number(UInt32(length))
            record.encode(to: &output)
            let content = unsafe UnsafeRawBufferPointer(rebasing: memory[4..<4 + length])
            unsafe Self.checksum(content).withUnsafeBytes { unsafe output.bytes($0) }
            return output.count
        }
        try withFile { file, end in
            guard Int64(framed.count) <= Self.largest - end else {
                throw FileTransferError.invalid(
                    "the transfer journal is full", subject: path.string, remedy: .sendToFewer)
            }
            try unsafe framed.withBytes { try unsafe file.write($0, at: end) }
            end += Int64(framed.count)
            if durable { try file.synchronize() }
        }
    }
}
