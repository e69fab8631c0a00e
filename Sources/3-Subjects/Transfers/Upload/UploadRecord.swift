import ValiseSecrets
import ValiseXFTPWire

/// One line of an upload's journal (Documentation/formats/transfer.md).
enum UploadRecord: JournalRecord {
    case request(UploadRequest)
    case file(UploadFile)
    case created(ChunkPlace, SentChunk)
    case recipients(ChunkPlace, [SentChunk.Recipient])
    case stored(ChunkPlace)
    case abandoned(ChunkPlace)
    case finished(file: Int, digest: [UInt8])
    case complete

    fileprivate enum Tag: UInt8 {
        case request = 1
        case file, created, recipients, stored, abandoned, finished, complete
        /// A request too, of a content.
        case contentRequest
    }

    // MARK: Writing

    func encode(to output: inout RecordOutput) {
        switch self {
        case .request(let request):
            request.encode(to: &output)
        case .file(let file):
            output.tag(Tag.file)
            file.encode(to: &output)
        case .created(let place, let chunk):
            output.tag(Tag.created)
            output.place(place)
            chunk.encode(to: &output)
        case .recipients(let place, let recipients):
            output.tag(Tag.recipients)
            output.place(place)
            output.recipients(recipients)
        case .stored(let place):
            output.tag(Tag.stored)
            output.place(place)
        case .abandoned(let place):
            output.tag(Tag.abandoned)
            output.place(place)
        case .finished(let file, let digest):
            output.tag(Tag.finished)
            output.number(UInt32(file))
            output.field(digest)
        case .complete: output.tag(Tag.complete)
        }
    }

    // MARK: Reading

    init(from input: inout RecordInput) throws {
        switch Tag(rawValue: try input.number()) {
        case .request:
            self = .request(try UploadRequest(from: &input) { .file(try SourceIdentity(from: &$0)) })
        case .contentRequest:
            self = .request(try UploadRequest(from: &input) { .content(try ContentIdentity(from: &$0)) })
        case .file: self = .file(try UploadFile(from: &input))
        case .created: self = .created(try input.place(), try SentChunk(from: &input))
        case .recipients: self = .recipients(try input.place(), try input.recipients())
        case .stored: self = .stored(try input.place())
        case .abandoned: self = .abandoned(try input.place())
        case .finished: self = .finished(file: Int(try input.number(UInt32.self)), digest: try input.field())
        case .complete: self = .complete
        case nil: throw RecordInput.damage
        }
        guard input.isAtEnd else { throw RecordInput.damage }
    }
}

extension UploadRequest {
    fileprivate func encode(to output: inout RecordOutput) {
        switch source {
        case .file(let file):
            output.tag(UploadRecord.Tag.request)
            output.number(created)
            file.encode(to: &output)
        case .content(let content):
            output.tag(UploadRecord.Tag.contentRequest)
            output.number(created)
            content.encode(to: &output)
        }
        output.text(name)
        output.number(UInt32(recipients))
        output.text(redirect.rawValue)
        output.optional(data)
    }

    fileprivate init(
        from input: inout RecordInput, source decode: (inout RecordInput) throws -> UploadSource
    ) throws {
        created = try input.number()
        source = try decode(&input)
        name = try input.text()
        recipients = Int(try input.number(UInt32.self))
        guard let choice = RedirectChoice(rawValue: try input.text()) else { throw RecordInput.damage }
        redirect = choice
        data = try input.optional()
    }
}

extension UploadFile {
    fileprivate func encode(to output: inout RecordOutput) {
        switch content {
        case .part(let offset, let size):
            output.number(UInt8(0))
            output.number(offset)
            output.number(size)
        case .redirect(let part, let recipient):
            output.number(UInt8(1))
            output.number(Int64(part))
            output.number(Int64(recipient))
        }
        output.text(name)
        output.optional(extra)
        output.seed(key)
        output.field(nonce)
    }

    fileprivate init(from input: inout RecordInput) throws {
        let kind: UInt8 = try input.number()
        let (first, second): (Int64, Int64) = (try input.number(), try input.number())
        guard first >= 0, second >= 0, kind <= 1 else { throw RecordInput.damage }
        content =
            kind == 0
            ? .part(offset: first, size: second) : .redirect(part: Int(first), recipient: Int(second))
        name = try input.text()
        extra = try input.optional()
        key = try input.seed()
        nonce = try input.field()
    }
}

extension SentChunk {
    fileprivate func encode(to output: inout RecordOutput) {
        output.text(relay.text)
        output.number(size)
        output.field(digest)
        output.field(sender.bytes)
        output.seed(key)
        output.recipients(recipients)
    }

    fileprivate init(from input: inout RecordInput) throws {
        guard let relay = try? XFTPAddress(input.text()) else { throw RecordInput.damage }
        self.relay = relay
        size = try input.number()
        digest = try input.field()
        sender = try input.entity()
        key = try input.seed()
        recipients = try input.recipients()
    }
}

extension RecordOutput {
    fileprivate mutating func tag(_ tag: some RawRepresentable<UInt8>) { number(tag.rawValue) }

    fileprivate mutating func place(_ place: ChunkPlace) {
        number(UInt32(place.file))
        number(UInt32(place.chunk))
    }

    fileprivate mutating func recipients(_ recipients: [SentChunk.Recipient]) {
        number(UInt32(recipients.count))
        for recipient in recipients {
            field(recipient.id.bytes)
            seed(recipient.key)
        }
    }

    mutating func optional(_ text: String?) {
        number(UInt8(text == nil ? 0 : 1))
        if let text { self.text(text) }
    }
}

extension RecordInput {
    fileprivate mutating func place() throws -> ChunkPlace {
        ChunkPlace(file: Int(try number(UInt32.self)), chunk: Int(try number(UInt32.self)))
    }

    fileprivate mutating func recipients() throws -> [SentChunk.Recipient] {
        // Not reserved: the count is only believed as far as there are bytes.
        try (0..<Int(try number(UInt32.self))).reduce(into: []) { found, _ in
            found.append(SentChunk.Recipient(id: try entity(), key: try seed()))
        }
    }

    fileprivate mutating func entity() throws -> EntityID {
        guard let id = EntityID(try field()) else { throw Self.damage }
        return id
    }

    mutating func optional() throws -> String? {
        switch try number(UInt8.self) {
        case 0: nil
        case 1: try text()
        default: throw Self.damage
        }
    }
}
