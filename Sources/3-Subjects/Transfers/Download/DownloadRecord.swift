import ValiseCryptoFiles
import ValiseSecrets

/// What a received file becomes.
struct Publication: Sendable, Equatable {
    /// In its folder.
    let name: String
    /// As its sender wrote it.
    let ownName: String
    /// Of the content, in bytes.
    let size: Int64
    /// The file that gets the name.
    let file: SourceIdentity
}

/// One line of a download's journal (Documentation/formats/transfer.md).
enum DownloadRecord: JournalRecord {
    /// What is received, and the keys it is encrypted with where it lies; no keys for an unencrypted file.
    case request(identity: [UInt8], keys: CryptoFileArgs?)
    /// The first bytes of a part as they traveled: length and header, which do not lie in the file.
    case head(part: Int, bytes: [UInt8])
    /// A chunk is in its place.
    case chunk(ChunkPlace)
    /// All of a part was proved.
    case verified(part: Int)
    /// The content is durable and gets its name now.
    case publishing(Publication)

    private enum Tag: UInt8 {
        case request = 1
        case head, chunk, verified, publishing
    }

    func encode(to output: inout RecordOutput) {
        switch self {
        case .request(let identity, let keys):
            output.number(Tag.request.rawValue)
            output.field(identity)
            output.number(UInt8(keys == nil ? 0 : 1))
            unsafe keys?.withBytes { key, nonce in
                unsafe output.bytes(key)
                unsafe output.bytes(nonce)
            }
        case .head(let part, let bytes):
            output.number(Tag.head.rawValue)
            output.number(UInt32(part))
            output.field(bytes)
        case .chunk(let place):
            output.number(Tag.chunk.rawValue)
            output.number(UInt32(place.file))
            output.number(UInt32(place.chunk))
        case .verified(let part):
            output.number(Tag.verified.rawValue)
            output.number(UInt32(part))
        case .publishing(let publication):
            output.number(Tag.publishing.rawValue)
            output.text(publication.name)
            output.text(publication.ownName)
            output.number(publication.size)
            publication.file.encode(to: &output)
        }
    }

    init(from input: inout RecordInput) throws {
        switch Tag(rawValue: try input.number()) {
        case .request:
            let identity = try input.field()
            let hasKeys = try input.number(UInt8.self) == 1
            self = .request(identity: identity, keys: hasKeys ? try Self.keys(&input) : nil)
        case .head: self = .head(part: Int(try input.number(UInt32.self)), bytes: try input.field())
        case .chunk:
            self = .chunk(
                ChunkPlace(
                    file: Int(try input.number(UInt32.self)), chunk: Int(try input.number(UInt32.self))))
        case .verified: self = .verified(part: Int(try input.number(UInt32.self)))
        case .publishing:
            self = .publishing(
                Publication(
                    name: try input.text(), ownName: try input.text(), size: try input.number(),
                    file: try SourceIdentity(from: &input)))
        case nil: throw RecordInput.damage
        }
        guard input.isAtEnd else { throw RecordInput.damage }
    }

    private static func keys(_ input: inout RecordInput) throws -> CryptoFileArgs {
        try unsafe CryptoFileArgs(
            fileKey: input.bytes(CryptoFileArgs.keySize), fileNonce: input.bytes(CryptoFileArgs.nonceSize))
    }
}
