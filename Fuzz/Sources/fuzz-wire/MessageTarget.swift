import Fuzzing
import ValiseXFTPWire

/// Commands, answers, errors and keys, as they stand in a block.
enum MessageTarget {
    static func command(_ bytes: [UInt8]) {
        guard let command = try? XFTPCommand(decoding: bytes) else { return }
        FuzzRun.require((try? command.encoded) == bytes, "a command is written as it was read")
    }

    static func response(_ bytes: [UInt8]) {
        guard let response = try? XFTPResponse(decoding: bytes) else { return }
        let again = (try? response.encoded).flatMap { try? XFTPResponse(decoding: $0) }
        FuzzRun.require(again == response, "\(response) is read again")
    }

    static func error(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), let error = XFTPErrorCode(text: text)
        else {
            return
        }
        FuzzRun.require(XFTPErrorCode(text: error.text) == error, "\(text) is read again")
    }

    static func key(_ bytes: [UInt8]) {
        if let key = try? PublicKey(spki: bytes) {
            FuzzRun.require(key.spki == bytes, "a key is written as it was read")
        }
        if let key = try? SignedKey(der: bytes) {
            FuzzRun.require(key.der == bytes, "a signed key is written as it was read")
        }
    }
}
