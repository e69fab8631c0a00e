/// What an upload is of, as its journal has it.
enum UploadSource: Sendable, Equatable {
    case file(SourceIdentity)
    case content(ContentIdentity)

    /// In bytes.
    var size: Int64 {
        switch self {
        case .file(let file): file.size
        case .content(let content): content.size
        }
    }

    /// Nil for a content.
    var file: SourceIdentity? {
        switch self {
        case .file(let file): file
        case .content: nil
        }
    }

    /// Of a content.
    var contentID: String? {
        switch self {
        case .file: nil
        case .content(let content): content.id
        }
    }
}

/// By what a later run knows that a content is what it was.
struct ContentIdentity: Sendable, Equatable {
    let id: String
    /// 32 bytes.
    let version: [UInt8]
    /// In bytes.
    let size: Int64
}

extension ContentIdentity {
    func encode(to output: inout RecordOutput) {
        output.text(id)
        output.field(version)
        output.number(size)
    }

    init(from input: inout RecordInput) throws {
        id = try input.text()
        version = try input.field()
        size = try input.number()
        guard version.count == UploadContent.versionSize, size >= 0 else { throw RecordInput.damage }
    }
}
