import Synchronization
import SystemPackage
import ValiseFiles
import ValiseSecrets

/// The content of one file of a backup, decrypted where it is read. Each frame is verified before any of it is given.
final class SessionBackupContent: ByteSource {
    let size: Int64
    let path: FilePath
    private let source: any ByteSource
    private let key: SecretSeed
    private let start: Int64
    /// SQLite asks for the same page several times.
    private let recent = Mutex<(frame: Int64, bytes: [UInt8])>((-1, []))

    private static let stride = Int64(
        SessionBackupFormat.contentWidth + SessionBackupFormat.overhead + SessionBackupFormat.chunkSize)

    init(_ entry: SessionBackupEntry, of source: any ByteSource, key: SecretSeed) {
        self.source = source
        self.key = key
        size = entry.size
        start = entry.start
        path = source.path.appending(entry.path)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0 else { return 0 }
        var filled = 0
        while filled < buffer.count, offset + Int64(filled) < size {
            let place = offset + Int64(filled)
            let chunk = Int64(SessionBackupFormat.chunkSize)
            let bytes = try frame(place / chunk)
            let wanted = bytes[Int(place % chunk)...].prefix(buffer.count - filled)
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyBytes(from: wanted)
            filled += wanted.count
        }
        return filled
    }

    private func frame(_ number: Int64) throws -> [UInt8] {
        if let known = recent.withLock({ $0.frame == number ? $0.bytes : nil }) { return known }
        let chunk = Int64(SessionBackupFormat.chunkSize)
        let length = Int(min(chunk, size - number * chunk))
        var frames = try SessionBackupFrames(
            source, key: key, at: start + number * Self.stride, readingAhead: Int(Self.stride))
        let bytes = try unsafe frames.next(
            SessionBackupFormat.contentWidth, length...length, of: path.string
        ) { unsafe [UInt8]($0) }
        recent.withLock { $0 = (number, bytes) }
        return bytes
    }
}
