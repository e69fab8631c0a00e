/// A format of files that is told by its first bytes.
package enum MediaFormat: String, Sendable, Codable, CaseIterable {
    case jpeg, png, gif, webp, heic, avif, bmp, tiff, jpegXL
    case mp4, quickTime, webm, matroska, avi
    case m4a, mp3, ogg, wav, flac, amr
    case pdf, zip, gzip, bzip2, xz, zstandard, sevenZip, rar, rtf, compoundFile, sqlite

    /// What the service takes a file of this format for: voice messages are M4A only, other sound is a file.
    package var kind: MediaKind {
        switch self {
        case .jpeg, .png, .gif, .webp, .heic, .avif, .bmp: .image
        case .mp4, .quickTime, .webm, .matroska, .avi: .video
        case .m4a: .voice
        case .tiff, .jpegXL: .file
        case .mp3, .ogg, .wav, .flac, .amr: .file
        case .pdf, .zip, .gzip, .bzip2, .xz, .zstandard, .sevenZip, .rar, .rtf, .compoundFile, .sqlite: .file
        }
    }

    /// Whether the content is in boxes, and ``MP4Outline`` tells more of it.
    package var hasBoxes: Bool { self == .mp4 || self == .m4a || self == .quickTime }
}
