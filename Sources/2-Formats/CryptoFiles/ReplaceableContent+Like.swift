package import SystemPackage
package import ValiseFiles
import ValiseMediaRules

extension ReplaceableContent {
    /// What is of the kind of a file that is written already, under another name.
    ///
    /// - Throws: `FileError`.
    package static func like(
        _ written: FilePath, fileSystem: FileSystem
    ) throws(FileError) -> ReplaceableContent {
        let head = try fileSystem.openForReading(written).bytes(at: 0, count: headSize)
        let kind = ContentKind(head: head)
        return ReplaceableContent("of the same kind (\(kind.name))") {
            _, head, _ throws(FileError) in
            ContentKind(head: head) == kind
        }
    }
}

/// What a file is by its first bytes: coarse, to tell a file's like from something else.
private enum ContentKind: Equatable {
    case text
    case image
    case video
    /// Of another known format.
    case format(MediaFormat)
    /// Of no known one, such as anything encrypted.
    case unknown

    init(head: [UInt8]) {
        switch MediaSignature(head: head)?.format {
        case _ where MediaSignature.looksLikeText(head): self = .text
        // Noise looks like this one by chance.
        case nil, .mp3: self = .unknown
        case let format? where format.kind == .image: self = .image
        case let format? where format.kind == .video: self = .video
        case let format?: self = .format(format)
        }
    }

    /// For a message.
    var name: String {
        switch self {
        case .text: "text"
        case .image: "image"
        case .video: "video"
        case .format(let format): format.rawValue
        case .unknown: "unknown content"
        }
    }
}
