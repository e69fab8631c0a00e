import Synchronization
import ValiseCryptography
import ValiseFailures
import ValiseXFTPWire

/// Goes through an encrypted file in order while its chunks arrive, and proves digest and tag of the whole.
///
/// One thread at a time.
final class PartProof: Sendable {
    private struct State: ~Copyable, Sendable {
        var digest: SHA512? = SHA512()
        var done: Int64 = 0
        var tag: [UInt8] = []
    }

    private let state = Mutex(State())
    private let part: ReceivedPart
    private let memory = ChunkMemory()

    init(_ part: ReceivedPart) { self.part = part }

    private static let pieceSize = 1 << 20

    /// Adds a chunk that is in its place.
    /// - Throws: ``FileTransferError``: `damaged` when it is there no more; `FileError`.
    func add(size: Int64) throws {
        try state.withLock { state in
            let end = state.done + size
            while state.done < end {
                memory.resize(to: Int(min(Int64(Self.pieceSize), end - state.done)))
                guard try unsafe part.load(memory.bytes, at: state.done) else {
                    throw FileTransferError.damaged(
                        "the received file was truncated while it was being received",
                        remedy: .giveCommandAgain)
                }
                unsafe add(UnsafeRawBufferPointer(memory.bytes), to: &state)
            }
        }
    }

    /// The next bytes as they traveled.
    private func add(_ bytes: UnsafeRawBufferPointer, to state: inout State) {
        unsafe state.digest?.update(bytes)
        let beforeTag = max(0, part.layout.encryptedSize - Int64(SecretBox.tagByteCount) - state.done)
        let count = Int(min(Int64(bytes.count), beforeTag))
        unsafe part.authenticate(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        unsafe state.tag += bytes[count...]
        state.done += Int64(bytes.count)
    }

    /// - Throws: ``FileTransferError``: `damaged`.
    func finish(expected: [UInt8]) throws {
        let (digest, tag) = state.withLock { ($0.digest.take()?.finalize(), $0.tag) }
        guard let digest, digest == expected else {
            throw FileTransferError.damaged(
                "the data on the relays does not match the file description. Nothing was written.",
                remedy: .askForNewLink)
        }
        guard part.isTag(tag) else {
            throw FileTransferError.damaged(
                "the key in the file description does not decrypt the file. Nothing was written.",
                remedy: .askForNewLink)
        }
    }
}
