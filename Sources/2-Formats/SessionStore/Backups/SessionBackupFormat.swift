/// Numbers of `session.bak`, version 1 (Session iOS, DirectoryArchiver; the sheet on Session's formats, section 7).
///
/// The file is a row of frames `length || nonce(12) || ciphertext || tag(16)`, each encrypted with AES-256-GCM. Lengths are
/// little endian and differ in width. Frames are bound neither to their places nor to files: whoever knows the password can
/// reorder them, and only counts and sizes show what is missing.
enum SessionBackupFormat {
    /// The only one that is known.
    static let version: UInt32 = 1
    /// What a frame's length has besides the plaintext: nonce and tag, in bytes.
    static let overhead = 28
    /// The most plaintext in a frame of content, in bytes.
    static let chunkSize = 4096

    /// The width of the length before the version, in bytes; then of the counts, of a file's description, and of its content.
    static let (versionWidth, countsWidth, fileWidth, contentWidth) = (1, 8, 8, 4)

    /// The longest path, in bytes, that systems of Apple take.
    static let longestPath = 1024
    /// Of a file's description: the length of the path, the path, the size, and the flag.
    static let largestDescription = 4 + longestPath + 8 + 1
    /// More files are refused, before any is read.
    static let mostFiles: UInt64 = 1_000_000
    /// All paths together, in bytes: they are kept, to find those that come twice.
    static let mostPathBytes = 64 << 20
}
