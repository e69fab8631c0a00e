import ValiseEncoding
import ValiseFailures

/// What reading a file gives, in the byte buffer of the official library (SimpleX storage, §5.4).
package enum ReadFileResult: Sendable, Equatable {
    /// The content.
    case data([UInt8])
    /// Why there is none.
    case error(String)

    private static let headSize = 5

    /// 0, the length as UInt32 in little-endian order and the data; or 1 and a text that ends with 0.
    ///
    /// Content of 4 GiB and more has no such form: that is an error in it.
    package func bytes() -> [UInt8] {
        switch self {
        case .data(let data):
            guard let length = UInt32(exactly: data.count) else {
                return Self.error("file too large for this format").bytes()
            }
            return [0] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + data
        case .error(let text): return [1] + text.utf8.filter { $0 != 0 } + [0]
        }
    }

    /// Reads the buffer, and the JSON that very old libraries put in its place, with a 0 and the data behind it.
    /// - Throws: ``CryptoFileError`` with `invalid`.
    package init(bytes: [UInt8]) throws(CryptoFileError) {
        switch bytes.first {
        case 0:
            guard bytes.count >= Self.headSize else { throw Self.malformed }
            let length = (0..<4).reduce(0) { $0 | Int(bytes[1 + $1]) << (8 * $1) }
            guard bytes.count - Self.headSize >= length else { throw Self.malformed }
            self = .data(Array(bytes[Self.headSize..<Self.headSize + length]))
        case 1:
            self = .error(String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self))
        case UInt8(ascii: "{"): self = try Self.old(bytes)
        default: throw Self.malformed
        }
    }

    private static let malformed = CryptoFileError(.invalid, "not a result of reading a file")

    private static func old(_ bytes: [UInt8]) throws(CryptoFileError) -> ReadFileResult {
        let json = bytes.prefix { $0 != 0 }
        guard let sum = try? JSONText.decode(OldForm.self, from: Array(json)) else { throw malformed }
        if let error = sum.error { return .error(error) }
        guard json.endIndex < bytes.endIndex else { throw malformed }
        return .data(Array(bytes[(json.endIndex + 1)...]))
    }

    /// Only which case it is, and the text of an error, whatever its field is called.
    private struct OldForm: Decodable {
        let error: String?

        init(from decoder: any Decoder) throws {
            let (name, fields) = try SumCoding.decode(decoder)
            switch name {
            case "result": error = nil
            case "error":
                let key = fields.allKeys.first { $0.stringValue != "type" }
                error = try key.map { try fields.decode(String.self, forKey: $0) } ?? ""
            default: throw SumCoding.unknownCase(name, decoder)
            }
        }
    }
}
