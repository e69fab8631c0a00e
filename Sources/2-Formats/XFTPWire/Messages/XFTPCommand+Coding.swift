import ValiseEncoding
import ValiseFailures

extension XFTPCommand {
    /// The first word of each command.
    enum Tag: String, CaseIterable {
        case create = "FNEW"
        case addRecipients = "FADD"
        case upload = "FPUT"
        case delete = "FDEL"
        case download = "FGET"
        case acknowledge = "FACK"
        case ping = "PING"
    }

    var tag: Tag {
        switch self {
        case .create: .create
        case .addRecipients: .addRecipients
        case .upload: .upload
        case .delete: .delete
        case .download: .download
        case .acknowledge: .acknowledge
        case .ping: .ping
        }
    }

    /// The bytes of the command (XFTP fact sheet, §5).
    /// - Throws: ``XFTPWireError``: `invalid` for more than 255 keys, none, or a digest or password over 255 bytes.
    package var encoded: [UInt8] {
        get throws(XFTPWireError) {
            var bytes = Array(tag.rawValue.utf8)
            switch self {
            case .create(let chunk):
                bytes.append(UInt8(ascii: " "))
                try chunk.encode(into: &bytes)
            case .addRecipients(let keys):
                bytes.append(UInt8(ascii: " "))
                try bytes.append(list: keys.map(\.spki))
            case .download(let key):
                bytes.append(UInt8(ascii: " "))
                try bytes.append(short: key.spki)
            case .upload, .delete, .acknowledge, .ping:
                break
            }
            return bytes
        }
    }

    /// Reads a command as the official relay does.
    /// - Throws: `unknown` for a word that is no command's; `syntax` for parameters that are missing, too many or wrong.
    package init(decoding bytes: [UInt8]) throws(XFTPErrorCode.CommandFault) {
        let word = bytes.prefix { $0 != UInt8(ascii: " ") }
        guard let tag = Tag(word: word) else { throw .unknown }
        do {
            self = try Self.command(
                tag, parameters: word.count < bytes.count ? bytes[(word.count + 1)...] : nil)
        } catch {
            throw .syntax
        }
    }

    /// - Parameter parameters: what is behind the space; nil where there is none.
    private static func command(
        _ tag: Tag, parameters: ArraySlice<UInt8>?
    ) throws(XFTPWireError) -> XFTPCommand {
        guard let simple = simple(tag) else {
            guard let parameters else { throw .truncated }
            var reader = FieldReader(Array(parameters))
            let command = try compound(tag, &reader)
            try reader.end()
            return command
        }
        guard parameters == nil else {
            throw XFTPWireError(.damaged, "parameters for a command without parameters")
        }
        return simple
    }

    private static func simple(_ tag: Tag) -> XFTPCommand? {
        switch tag {
        case .upload: .upload
        case .delete: .delete
        case .acknowledge: .acknowledge
        case .ping: .ping
        case .create, .addRecipients, .download: nil
        }
    }

    private static func compound(_ tag: Tag, _ reader: inout FieldReader) throws(XFTPWireError) -> XFTPCommand
    {
        switch tag {
        case .create: return .create(try NewChunk(&reader))
        case .addRecipients:
            return .addRecipients(try reader.list { (reader) throws(XFTPWireError) in try reader.key() })
        default:
            let key = try reader.key()
            guard key.algorithm == .x25519 else {
                throw XFTPWireError(.damaged, "wrong kind of ephemeral key")
            }
            return .download(key)
        }
    }
}

extension NewChunk {
    fileprivate func encode(into bytes: inout [UInt8]) throws(XFTPWireError) {
        try bytes.append(short: senderKey.spki)
        bytes.append(bigEndian: size)
        try bytes.append(short: digest)
        try bytes.append(list: recipientKeys.map(\.spki))
        try bytes.append(optional: password?.bytes)
    }

    fileprivate init(_ reader: inout FieldReader) throws(XFTPWireError) {
        self.init(
            senderKey: try reader.key(), size: try reader.number(), digest: try reader.short(),
            recipientKeys: try reader.list { (reader) throws(XFTPWireError) in try reader.key() },
            password: try reader.optional { (reader) throws(XFTPWireError) in
                RelayPassword(bytes: try reader.short())
            })
    }
}
