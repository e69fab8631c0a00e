import Fuzzing
import ValiseSecrets

@testable import ValiseXFTPWire

/// What people hand each other: addresses, descriptions, links.
enum DescriptionTarget {
    static func address(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let address = try? XFTPAddress(text) {
            let again = try? XFTPAddress(address.text)
            FuzzRun.require(again == address, "\(text.debugDescription) is read again from \(address.text)")
            FuzzRun.require(!(address < address), "an address is not before itself")
            _ = (address.host(throughProxy: true), address.host(throughProxy: false))
        }
        if let access = try? RelayAccess(text) {
            let again = try? XFTPAddress(access.address.text)
            FuzzRun.require(again == access.address, "\(access.address.text) is read again")
            if let password = access.password {
                let same = try? RelayPassword(checking: password.text)
                FuzzRun.require(same == password, "a password is read again")
            }
        }
    }

    static func description(_ bytes: [UInt8]) {
        guard let description = try? FileDescription(yaml: bytes) else { return }
        check(description)
    }

    private static func check(_ description: FileDescription) {
        FuzzRun.require(
            (try? description.checkConsistency()) != nil, "a description that was read is consistent")
        guard let text = try? description.yamlOfAnyChunkSize(), let again = try? FileDescription(yaml: text),
            let second = try? again.yamlOfAnyChunkSize(), let third = try? FileDescription(yaml: second)
        else { return FuzzRun.require(false, "a description is read again") }
        // The first writing may bring another replica to the front; from then on nothing moves.
        let isSettled = (try? third.yamlOfAnyChunkSize())?.equals(second) ?? false
        FuzzRun.require(isSettled && again.size == description.size, "a description stays what it is")
        FuzzRun.require(
            again.chunks.count == description.chunks.count && again.redirect == description.redirect
                && again.key.equals(description.key) && again.nonce == description.nonce,
            "a description keeps its values")
    }

    static func link(_ bytes: [UInt8]) { link(String(decoding: bytes, as: UTF8.self)) }

    /// The bytes are what a link says; in this way they are behind its escapes and its packing.
    static func sealedLink(_ bytes: [UInt8]) {
        guard let plain = try? SecretBytes(copying: bytes), let packed = try? DeflatedText.pack(plain) else {
            return FuzzRun.require(false, "bytes are packed")
        }
        let unpacked = try? DeflatedText.unpack(packed)
        FuzzRun.require(unpacked?.equals(plain) ?? false, "what was packed is unpacked")
        let web = try? SecretText.make { text in
            text.append("https://a/#")
            packed.withBytes { text.appendBase64($0) }
        }
        let app = try? SecretText.make { text in
            text.append("simplex:/file#/?desc=")
            plain.withBytes { text.appendPercentEncoded($0) }
        }
        guard let web, let app else { return FuzzRun.require(false, "links are made") }
        let direct = (try? FileDescription(yaml: bytes)).map { $0.party == .recipient } ?? false
        FuzzRun.require(((try? FileLink(app)) != nil) == direct, "a link holds what a description is")
        // Shorter fragments are no links.
        if packed.count > 40 {
            FuzzRun.require(((try? FileLink(web)) != nil) == direct, "so does one for browsers")
        }
    }

    private static func link(_ text: String) {
        guard let link = try? FileLink(text) else { return }
        check(link.description)
        guard (try? link.description.checkChunkSizes()) != nil else { return }
        guard let written = try? link.appLink(), let again = try? FileLink(written) else {
            return FuzzRun.require(false, "a link is read again")
        }
        FuzzRun.require(again.data == link.data, "a link keeps its data")
        guard let packed = try? link.webLink(), let web = try? FileLink(packed) else {
            return FuzzRun.require(false, "a link for browsers is read again")
        }
        FuzzRun.require(web.description.size == link.description.size, "a link for browsers keeps its size")
    }
}
