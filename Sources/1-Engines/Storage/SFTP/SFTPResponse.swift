import ValiseEncoding
import ValiseFailures

/// What a server answers.
enum SFTPResponse: Sendable {
    case status(SFTPStatus)
    case handle(SFTPHandle)
    case data(ArraySlice<UInt8>)
    case names([SFTPName])
    case attributes(SFTPAttributes)
    /// To a request that is an extension.
    case other(ArraySlice<UInt8>)

    /// No server has longer ones (version 3).
    private static let longestHandle = 256

    /// Reads a packet.
    ///
    /// - Parameter packet: without its length.
    /// - Returns: the number of the request, and the answer. What follows behind it is ignored.
    /// - Throws: ``StorageError``
    static func read(_ packet: ArraySlice<UInt8>) throws(StorageError) -> (id: UInt32, response: SFTPResponse)
    {
        do throws(ByteCodingError) {
            var reader = ByteReader(packet)
            let type: UInt8 = try reader.bigEndian()
            let id: UInt32 = try reader.bigEndian()
            if let response = try response(type, &reader) { return (id, response) }
        } catch {
            throw StorageError(.answer, .failed, "the server's answer is cut off", cause: error)
        }
        throw .invalidAnswer("is of an unknown or unexpected type")
    }

    /// Nil for a type or a content that no answer has.
    private static func response(
        _ type: UInt8, _ reader: inout ByteReader
    ) throws(ByteCodingError) -> SFTPResponse? {
        switch type {
        case 101: return .status(try SFTPStatus(&reader))
        case 102:
            let bytes = try reader.text()
            return bytes.count <= longestHandle ? .handle(SFTPHandle(bytes: Array(bytes))) : nil
        // A copy: the packet is within what arrived with it.
        case 103: return .data(ArraySlice(Array(try reader.text())))
        case 104: return try SFTPName.read(&reader).map(SFTPResponse.names)
        case 105: return .attributes(try SFTPAttributes(&reader))
        case 201: return .other(ArraySlice(Array(try reader.take(reader.remaining))))
        default: return nil
        }
    }
}

/// How a request ended.
struct SFTPStatus: Error, Sendable {
    let code: UInt32
    /// In the server's words, possibly none; no control characters.
    let text: String

    fileprivate init(_ reader: inout ByteReader) throws(ByteCodingError) {
        code = try reader.bigEndian()
        // Old servers send no text.
        let bytes = reader.remaining == 0 ? [] : try reader.text()
        text = String(decoding: bytes.prefix(100), as: UTF8.self).replacingControls { _ in " " }
    }
}

/// An entry of a folder.
struct SFTPName: Sendable {
    /// Nil where it is not UTF-8.
    let name: String?
    let attributes: SFTPAttributes

    /// Nil for more entries than the packet can have.
    fileprivate static func read(_ reader: inout ByteReader) throws(ByteCodingError) -> [SFTPName]? {
        let count: UInt32 = try reader.bigEndian()
        // Two lengths and the flags.
        guard count <= reader.remaining / 12 else { return nil }
        var names: [SFTPName] = []
        for _ in 0..<count {
            let name = String(validating: try reader.text(), as: UTF8.self)
            // The line that `ls -l` would print.
            _ = try reader.text()
            names.append(SFTPName(name: name, attributes: try SFTPAttributes(&reader)))
        }
        return names
    }
}

/// What a server says of a file or folder.
struct SFTPAttributes: Sendable, Hashable {
    enum Flags {
        static let size: UInt32 = 1
        static let owner: UInt32 = 2
        static let permissions: UInt32 = 4
        static let times: UInt32 = 8
        static let extended: UInt32 = 0x8000_0000
    }

    enum Kind: Sendable {
        case file, folder, link, special
    }

    /// In bytes; nil where the server does not say, or says what no file has.
    let size: Int64?
    /// Nil where the server does not say.
    let kind: Kind?

    init(_ reader: inout ByteReader) throws(ByteCodingError) {
        let flags: UInt32 = try reader.bigEndian()
        var size: Int64?
        if flags & Flags.size != 0 {
            let value: UInt64 = try reader.bigEndian()
            size = Int64(exactly: value)
        }
        self.size = size
        if flags & Flags.owner != 0 { try reader.skip(8) }
        var kind: Kind?
        if flags & Flags.permissions != 0 {
            let mode: UInt32 = try reader.bigEndian()
            kind = Self.kind(of: mode)
        }
        self.kind = kind
        if flags & Flags.times != 0 { try reader.skip(8) }
        guard flags & Flags.extended != 0 else { return }
        let count: UInt32 = try reader.bigEndian()
        // They end where the packet does, whatever the number says.
        for _ in 0..<count {
            _ = try reader.text()
            _ = try reader.text()
        }
    }

    private static func kind(of mode: UInt32) -> Kind? {
        switch mode & 0o170_000 {
        // Of servers that send permissions alone.
        case 0: nil
        case 0o100_000: .file
        case 0o040_000: .folder
        case 0o120_000: .link
        default: .special
        }
    }
}

/// The first packet of a server.
struct SFTPGreeting: Sendable {
    let extensions: Set<SFTPExtension>

    /// - Parameter packet: without its length.
    /// - Throws: ``StorageError``: `unsupported` for another version.
    init(_ packet: ArraySlice<UInt8>) throws(StorageError) {
        var extensions: Set<SFTPExtension> = []
        var version: UInt32 = 0
        do throws(ByteCodingError) {
            var reader = ByteReader(packet)
            let type: UInt8 = try reader.bigEndian()
            guard type == 2 else { throw ByteCodingError.repeated }
            version = try reader.bigEndian()
            while reader.remaining > 0 {
                let name = try reader.text()
                // Its version.
                _ = try reader.text()
                if let found = SFTPExtension(rawValue: String(decoding: name, as: UTF8.self)) {
                    extensions.insert(found)
                }
            }
        } catch {
            throw .noSFTP
        }
        guard version == 3 else {
            throw StorageError(
                .general, .unsupported, "the server speaks version \(version) of SFTP instead of version 3")
        }
        self.extensions = extensions
    }
}

extension ByteReader {
    /// Bytes behind their number.
    fileprivate mutating func text() throws(ByteCodingError) -> ArraySlice<UInt8> {
        let count: UInt32 = try bigEndian()
        return try take(Int(count))
    }
}
