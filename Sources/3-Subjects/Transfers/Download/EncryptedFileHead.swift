import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseXFTPWire

/// What is before the content of an encrypted file: its length, and the header with its name.
struct EncryptedFileHead: Sendable {
    /// As they traveled.
    let bytes: [UInt8]
    let name: String
    /// Set for a part of a divided file.
    let part: FilePart?
    /// In bytes.
    let contentSize: Int64

    private static let lengthSize = 8
    /// The most bytes before the content.
    static let longest = lengthSize + FileHeader.largestByteCount

    /// How many bytes there are.
    var size: Int64 { Int64(bytes.count) }

    /// - Parameter encrypted: the first bytes of the file; more than the head are left out.
    /// - Throws: ``FileTransferError``: `damaged`.
    init(encrypted: ArraySlice<UInt8>, _ description: FileDescription) throws {
        var plain = Array(encrypted)
        let stream = try SecretBoxStream()
        stream.start(key: description.key, nonce: description.nonce)
        unsafe plain.withUnsafeMutableBytes { unsafe stream.exclusiveOr($0, at: 0) }
        var reader = ByteReader(plain)
        guard let length = try? reader.bigEndian(UInt64.self), let inner = Int64(exactly: length),
            inner <= description.size - Int64(Self.lengthSize + SecretBox.tagByteCount),
            let (header, count) = try? FileHeader.decode(plain[Self.lengthSize...]), Int64(count) <= inner
        else {
            throw FileTransferError.damaged(
                "the key in the file description does not decrypt the file. Nothing was written.",
                remedy: .askForNewLink)
        }
        contentSize = inner - Int64(count)
        bytes = Array(encrypted.prefix(Self.lengthSize + count))
        name = header.name
        part = header.extra.flatMap { String(validating: $0, as: UTF8.self) }.flatMap(FilePart.init(text:))
    }
}
