import ValiseFiles

/// By what a file is known again that nobody wrote to. Without what ``FileAttributes`` has more: there may be
/// hundreds of thousands.
struct ImageStamp: Sendable, Equatable {
    private let device: UInt64
    private let inode: UInt64
    let size: Int64
    private let seconds: Int64
    private let nanoseconds: Int32

    static let none = ImageStamp()

    private init() {
        (device, inode, size, seconds, nanoseconds) = (0, 0, 0, 0, 0)
    }

    init(_ attributes: FileAttributes) {
        device = attributes.device
        inode = attributes.inode
        size = attributes.size
        seconds = attributes.modificationTime
        nanoseconds = Int32(truncatingIfNeeded: attributes.modificationNanoseconds)
    }
}

/// A SHA-256 without an array of its own.
struct ImageDigest: Sendable, Equatable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// - Parameter bytes: 32 of them.
    init(_ bytes: [UInt8]) {
        words = unsafe bytes.withUnsafeBytes {
            unsafe (
                $0.loadUnaligned(as: UInt64.self),
                $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
                $0.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
            )
        }
    }

    var bytes: [UInt8] { unsafe withUnsafeBytes(of: words) { unsafe Array($0) } }

    static func == (left: ImageDigest, right: ImageDigest) -> Bool { left.words == right.words }
}

/// What is known of a file that was read for an image.
struct ScannedFile: Sendable {
    let stamp: ImageStamp
    /// The CRC-32.
    let checksum: UInt32
    let digest: ImageDigest

    /// In bytes.
    var size: Int64 { stamp.size }

    /// In the place of a file that was not read yet.
    static let unread = ScannedFile(
        stamp: .none, checksum: 0, digest: ImageDigest(Array(repeating: 0, count: 32)))
}
