import Fuzzing
import ValiseEncoding
import ValiseSecrets
import ValiseSessionStore

/// Dumps, and configurations that are encrypted here, so that what is hostile gets past the tag.
enum ConfigDumpTarget {
    private static let key = try? SecretSeed(copying: [UInt8](repeating: 7, count: SecretSeed.byteCount))

    static func dump(_ bytes: [UInt8]) {
        guard let raw = try? SharedSecret(SecretBytes(copying: bytes)) else { return }
        for kind in [ConfigKind.contacts, .groupKeys] {
            guard let dump = try? ConfigDump(parsing: raw, as: kind) else { continue }
            FuzzRun.require(dump.raw.bytes.equals(raw.bytes), "all bytes are kept")
            FuzzRun.require(dump.message == nil || dump.problem == nil, "a configuration is read or not")
            FuzzRun.require(dump.unknown.count <= dump.tree.entries.count, "what is unknown is in the dump")
            if let message = dump.message { check(message) }
            _ = ConfigView().json(dump.tree)
        }
    }

    static func message(_ bytes: [UInt8]) {
        guard let key, let content = try? SharedSecret(SecretBytes(copying: bytes)) else { return }
        guard let sealed = try? ConfigWire.seal(content, key: key, domain: "Contacts", packing: false) else {
            return FuzzRun.require(false, "anything is encrypted")
        }
        // What opens it may be of another form, and is not taken then.
        if let message = try? ConfigWire.open(sealed, keys: [key], domain: "Contacts"),
            let parsed = try? ConfigMessage(parsing: message)
        {
            check(parsed)
        }
        guard let packed = try? ConfigWire.seal(content, key: key, domain: "a") else {
            return FuzzRun.require(false, "anything is packed")
        }
        let opened = try? ConfigWire.open(packed, keys: [key], domain: "a")
        FuzzRun.require(opened?.bytes.equals(content.bytes) ?? bytes.isEmpty, "what was packed is unpacked")
    }

    private static func check(_ message: ConfigMessage) {
        let signature = message.signature(by: [UInt8](repeating: 1, count: 32))
        FuzzRun.require(signature != .valid, "nobody signed it")
    }
}
