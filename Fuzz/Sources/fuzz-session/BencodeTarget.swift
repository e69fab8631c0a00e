import Fuzzing
import ValiseEncoding
import ValiseSecrets
import ValiseSessionStore

/// Documents of bt-encoding: there is one form of each.
enum BencodeTarget {
    static func document(_ bytes: [UInt8]) {
        guard let document = try? SharedSecret(SecretBytes(copying: bytes)) else { return }
        guard let value = try? BencodeValue(parsing: document) else { return }
        guard let written = try? value.encoded() else {
            return FuzzRun.require(false, "what was read can be written")
        }
        FuzzRun.require(written.bytes.equals(document.bytes), "what was read is written as it was")
        FuzzRun.require(
            JSONNode(parsing: ConfigView(showsBytes: true).json(value).jsonText) != nil,
            "what is shown is a document of JSON")
        _ = value.accounts()
    }
}
