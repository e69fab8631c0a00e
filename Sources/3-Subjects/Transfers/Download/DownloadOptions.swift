package import SystemPackage
package import ValiseCryptoFiles
import ValiseFiles
import ValiseXFTPWire

/// Where a received file goes.
package enum DownloadTarget: Sendable {
    /// This name, whatever the file's own is.
    case file(FilePath)
    /// A folder that is there; the file's own name, made safe, and with a number where it is taken.
    case folder(FilePath)

    /// The folder that the file will lie in.
    var folder: FilePath {
        switch self {
        case .file(let path): path.parentFolder
        case .folder(let path): path
        }
    }
}

/// How one file is received.
package struct DownloadOptions: Sendable {
    /// Whose relays may be used.
    package var approval: RelayApproval
    /// Whether a file of the target's name is replaced. Never in a folder, where another name is taken.
    package var replacing = false
    /// Tell the relays that this recipient has the file, so that they forget his names of its chunks.
    package var acknowledge = false
    /// Where the key goes, as JSON of a `CryptoFile` in a new file of mode 0600, when the file is to be encrypted where
    /// it lies. Its content is never on disk otherwise.
    package var keyOutput: FilePath?
    /// The largest file that is received, in bytes as it travels; nil for no limit but that of descriptions.
    package var largest: Int64?

    package init(approval: RelayApproval) {
        self.approval = approval
    }
}

/// A received file, verified and durably stored under its name.
package struct DownloadedFile: Sendable {
    /// Where the file is.
    package let path: FilePath
    /// The size of its content, in bytes.
    package let size: Int64
    /// The name that the sender gave it.
    package let name: String
    /// Nil for an unencrypted file.
    package let cryptoFile: CryptoFile?
    /// Which part of a divided file it is; nil for a whole one.
    package let part: FilePart?
    /// What relays are to be told of.
    var receipt: DownloadReceipt?
}

extension DownloadedFile: Encodable {
    private enum Keys: String, CodingKey { case path, size, name, encrypted, part }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(path.string, forKey: .path)
        try container.encode(size, forKey: .size)
        try container.encode(name, forKey: .name)
        try container.encode(cryptoFile != nil, forKey: .encrypted)
        try container.encodeIfPresent(part, forKey: .part)
    }
}
