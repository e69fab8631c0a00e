import Synchronization
import ValiseCryptography

/// Compares content that comes piece by piece with what a manifest says: at the end its length and its hash, and on the way that
/// there is no more of it.
final class ContentCheck: Sendable {
    private struct State: ~Copyable {
        var hash: BLAKE3
        var length: Int64 = 0
    }

    private let file: FileManifest
    private let subject: String
    private let state: Mutex<State>

    /// - Throws: `CryptographyError`.
    init(_ file: FileManifest, _ subject: String) throws {
        self.file = file
        self.subject = subject
        state = Mutex(State(hash: try BLAKE3()))
    }

    /// Bytes until now.
    var length: Int64 { state.withLock { $0.length } }

    /// Adds the next piece.
    /// - Returns: where it begins in the file.
    /// - Throws: ``ContentStoreError``: `damaged`.
    func add(_ piece: [UInt8]) throws -> Int64 {
        let start = state.withLock { state in
            let start = state.length
            state.hash.update(piece)
            state.length += Int64(piece.count)
            return start
        }
        guard start <= file.size, Int64(piece.count) <= file.size - start else {
            throw ContentStoreError(.damaged, "the chunks are longer than the file", subject)
        }
        return start
    }

    /// - Throws: ``ContentStoreError``: `damaged`.
    func finish() throws {
        let (length, digest) = state.withLock { ($0.length, ContentDigest(digest: $0.hash.digest())) }
        guard length == file.size else {
            throw ContentStoreError(.damaged, "the chunks are shorter than the file", subject)
        }
        guard digest == file.content else {
            throw ContentStoreError(.damaged, "the content does not match the hash of the file", subject)
        }
    }
}
