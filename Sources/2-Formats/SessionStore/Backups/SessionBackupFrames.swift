import SystemPackage
import ValiseCryptography
import ValiseFiles
import ValiseSecrets

/// Reads the frames of a backup one after the other. Nothing of a frame is lent before its tag was verified.
struct SessionBackupFrames: ~Copyable {
    private let window: SourceWindow
    private let cipher: AES256GCM
    private var plaintext: [UInt8] = []
    /// Where the next frame begins.
    private(set) var position: Int64

    /// - Parameters:
    ///   - key: of all frames.
    ///   - position: where the first one begins.
    ///   - ahead: how many bytes are read at once.
    init(
        _ source: any ByteSource, key: SecretSeed, at position: Int64 = 0, readingAhead ahead: Int = 256 << 10
    ) throws {
        window = SourceWindow(source, size: ahead)
        cipher = try AES256GCM(key: key)
        self.position = position
    }

    /// Whether all of the file was read.
    var isAtEnd: Bool { position == window.source.size }
    /// How many bytes follow.
    var remaining: Int64 { window.source.size - position }

    /// Lends the plaintext of the next frame.
    ///
    /// - Parameters:
    ///   - width: of its length, in bytes.
    ///   - sizes: which sizes its plaintext may have.
    ///   - part: what errors call it.
    ///   - failure: of a wrong tag.
    /// - Throws: ``SessionStoreError`` with `damaged`; errors of the source; whatever `body` throws.
    mutating func next<Result>(
        _ width: Int, _ sizes: ClosedRange<Int>, of part: @autoclosure () -> String,
        failure: SessionStoreError.Kind = .damaged, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        let size = try nextSize(width, sizes, part)
        let block = position + Int64(width)
        if plaintext.count != size { plaintext = [UInt8](repeating: 0, count: size) }
        let isOpen = try unsafe window.withBytes(at: block, count: size + SessionBackupFormat.overhead) {
            unsafe open($0)
        }
        guard isOpen == true else {
            let meaning =
                failure == .wrongKey
                ? "the password does not open the backup, or its beginning is damaged"
                : "the backup is damaged in \(part())"
            throw SessionStoreError(failure, meaning, window.source.path.string)
        }
        position = block + Int64(size + SessionBackupFormat.overhead)
        return try unsafe plaintext.withUnsafeBytes(body)
    }

    /// Passes over the next frame, which is not verified.
    /// - Returns: the size of its plaintext.
    /// - Throws: as ``next(_:_:of:failure:_:)``.
    mutating func skip(
        _ width: Int, _ sizes: ClosedRange<Int>, of part: @autoclosure () -> String
    ) throws -> Int {
        let size = try nextSize(width, sizes, part)
        position += Int64(width + size + SessionBackupFormat.overhead)
        return size
    }

    /// The size of the next plaintext, checked before anything is allocated for it.
    private mutating func nextSize(
        _ width: Int, _ sizes: ClosedRange<Int>, _ part: () -> String
    ) throws -> Int {
        guard let length = try window.number(at: position, width: width) else { throw truncated(part()) }
        guard let length = Int(exactly: length), length >= SessionBackupFormat.overhead,
            sizes.contains(length - SessionBackupFormat.overhead)
        else {
            throw SessionStoreError(
                .damaged, "a frame of \(part()) has an impossible length", window.source.path.string)
        }
        guard Int64(length) <= remaining - Int64(width) else { throw truncated(part()) }
        return length - SessionBackupFormat.overhead
    }

    private func truncated(_ part: String) -> SessionStoreError {
        SessionStoreError(.damaged, "the backup is truncated in \(part)", window.source.path.string)
    }

    private mutating func open(_ block: UnsafeRawBufferPointer) -> Bool {
        let nonce = unsafe UnsafeRawBufferPointer(rebasing: block[..<AES256GCM.nonceByteCount])
        let sealed = unsafe UnsafeRawBufferPointer(rebasing: block[AES256GCM.nonceByteCount...])
        return unsafe plaintext.withUnsafeMutableBytes {
            unsafe cipher.open(sealed, into: $0, nonce: nonce)
        }
    }
}
