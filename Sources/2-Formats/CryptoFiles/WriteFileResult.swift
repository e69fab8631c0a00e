package import ValiseEncoding
import ValiseFailures
package import ValiseSecrets

/// What writing or encrypting a file gives, as the official library tells it (SimpleX storage, §5.4).
package enum WriteFileResult: Sendable {
    /// The keys that the file got.
    case result(CryptoFileArgs)
    /// Why there is no file.
    case error(String)

    /// Reads either form of the JSON.
    /// - Throws: ``CryptoFileError`` with `invalid`; `SecretsError`.
    package init(text: borrowing SecretBytes) throws {
        let fields = try CryptoFileText.fields(text)
        if let error = fields.writeError {
            self = .error(error)
        } else if let args = try CryptoFileArgs(fields) {
            self = .result(args)
        } else {
            throw CryptoFileError(.invalid, "not a result of writing a file")
        }
    }

    /// `{"type":"result","cryptoArgs":{…}}` or `{"type":"error","writeError":"…"}`; in the other form
    /// `{"_owsf":true,"result":{"cryptoArgs":{…}}}`.
    /// - Throws: `SecretsError`.
    package func json(_ sums: SumEncoding = .tagged) throws -> SecretBytes {
        let (before, after) =
            switch sums {
            case .tagged: ("{\"type\":\"\(name)\",", "}")
            case .singleField: ("{\"_owsf\":true,\"\(name)\":{", "}}")
            }
        switch self {
        case .result(let args):
            return try CryptoFileText.object(args, before: before + "\"cryptoArgs\":", after: after)
        case .error(let text):
            let text = try JSONText.encode(text)
            return try SecretBytes(copying: Array((before + "\"writeError\":" + text + after).utf8))
        }
    }

    private var name: String {
        switch self {
        case .result: "result"
        case .error: "error"
        }
    }
}
