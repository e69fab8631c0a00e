import Fuzzing
import ValiseXFTPWire

/// Whole blocks: transmissions and both sides' handshakes.
enum BlockTarget {
    /// A block that begins with these bytes, its length among them.
    static func transmission(_ bytes: [UInt8]) {
        let block = Array((bytes + [UInt8](repeating: 0x23, count: XFTPBlock.size)).prefix(XFTPBlock.size))
        guard let transmission = try? Transmission(block: block) else { return }
        let again = (try? transmission.encodedBlock()).flatMap { try? Transmission(block: $0) }
        FuzzRun.require(again == transmission, "a transmission is read again")
        let client = ClientSession(withoutHandshake: transmission.sessionID)
        _ = try? client.decode(block)
    }

    /// The message of a relay's hello.
    static func hello(_ bytes: [UInt8]) {
        guard let block = try? XFTPBlock.pad(bytes), let hello = try? ServerHello(block: block) else {
            return
        }
        let again = (try? hello.encodedBlock()).flatMap { try? ServerHello(block: $0) }
        FuzzRun.require(again == hello, "a hello is read again")
        // As a client reads it that has met this relay: the hello's own first certificate is that of TLS.
        guard let leaf = hello.certificates.first else { return }
        var client = ClientSession(
            sessionID: hello.sessionID, fingerprint: [UInt8](repeating: 0, count: 32), leaf: leaf)
        let answer = try? client.receive(serverHello: block)
        FuzzRun.require(answer == nil && client.version == nil, "an identity of zeros is nobody's")
    }

    /// The message of a client's handshake, or of a web page's hello.
    static func handshake(_ bytes: [UInt8]) {
        guard let block = try? XFTPBlock.pad(bytes) else { return }
        if let handshake = try? ClientHandshake(block: block) {
            let again = (try? handshake.encodedBlock()).flatMap { try? ClientHandshake(block: $0) }
            FuzzRun.require(again == handshake, "a handshake is read again")
        }
        if let hello = try? WebHello(block: block) {
            let again = (try? hello.encodedBlock()).flatMap { try? WebHello(block: $0) }
            FuzzRun.require(again == hello, "a web page's hello is read again")
        }
    }
}
