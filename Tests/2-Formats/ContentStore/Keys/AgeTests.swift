import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets

@testable import ValiseContentStore

struct AgeTests {
    private static func secret(_ text: String) throws -> SecretBytes {
        try SecretBytes(copying: Array(text.utf8))
    }

    /// The vector's device, and the manifest that has a key for it.
    private static func vector() throws -> (identity: AgeIdentity, file: FileManifest) {
        let text = try StoreFixture.text("documents", "per_device_v3", "age_identity")
        let document = try StoreFixture.text("documents", "per_device_v3", "manifest_text")
        guard case .file(let file) = try StoreManifest(parsing: document.utf8Bytes) else {
            throw ContentStoreError(.damaged, "not a file")
        }
        return (try AgeIdentity(secret(text)), file)
    }

    private func hexadecimal(_ key: ContentKey) -> String { key.secret.withBytes { Hexadecimal.encode($0) } }

    @Test func `a key that age wrapped opens, and its chunk`() throws {
        let (identity, file) = try Self.vector()
        #expect(file.deviceKeys.map(\.recipient) == [identity.recipient])
        let key = try #require(try StoreKeys(master: nil, identity: identity, device: "dev-a").key(of: file))
        #expect(try hexadecimal(key) == StoreFixture.text("documents", "per_device_v3", "file_key_hex"))
        let object = try #require(
            Data(base64Encoded: try StoreFixture.text("documents", "per_device_v3", "chunk_object_b64")))
        let chunk = try ChunkSealing(key: key, file: file.content).open([UInt8](object), index: 0)
        #expect(try chunk.text == StoreFixture.text("documents", "per_device_v3", "plaintext_utf8"))
        #expect(try ContentDigest(of: chunk) == file.content)
        // A device that is not named is found by trying.
        #expect(try StoreKeys(master: nil, identity: identity).key(of: file) != nil)
    }

    @Test func `another device, another identity, and a damaged key are told apart`() throws {
        let (identity, file) = try Self.vector()
        func kind(_ keys: StoreKeys, _ file: FileManifest) -> ContentStoreError.Kind? {
            do {
                _ = try keys.key(of: file)
                return nil
            } catch {
                return (error as? ContentStoreError)?.kind
            }
        }
        let (master, stranger) = (try StoreKey.random(), try AgeIdentity.random())
        #expect(kind(StoreKeys(master: nil, identity: identity, device: "dev-b"), file) == .noKey)
        #expect(kind(.none, file) == .noKey)
        #expect(kind(StoreKeys(master: master), file) == .noKey)
        #expect(kind(StoreKeys(master: nil, identity: stranger), file) == .wrongKey)
        var unknown = file
        unknown.deviceKeys = file.deviceKeys.map {
            DeviceKey(device: $0.device, recipient: $0.recipient, algorithm: "rot13", wrapped: $0.wrapped)
        }
        #expect(kind(StoreKeys(master: nil, identity: identity), unknown) == .noKey)
        var plain = file
        plain.deviceKeys = []
        #expect(try StoreKeys(master: nil, identity: identity).key(of: plain) == nil)
    }

    @Test func `the master key helps where the device's key does not`() throws {
        let (identity, file) = try Self.vector()
        let master = try StoreKey.random()
        let key = try ContentKey.random()
        var both = file
        both.wrappedKey = key.wrapped(by: master)
        let keys = StoreKeys(master: master, identity: try .random(), device: "dev-a")
        #expect(try keys.key(of: both)?.secret.equals(key.secret) == true)
        // That of the device comes first.
        let first = try #require(try StoreKeys(master: master, identity: identity).key(of: both))
        #expect(try hexadecimal(first) == StoreFixture.text("documents", "per_device_v3", "file_key_hex"))
    }

    @Test(arguments: [1, .random(in: 2 ... .max)])
    func `each changed byte of a wrapped key is an error`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let identity = try AgeIdentity.random()
        let key = try ContentKey.random()
        let device = try DeviceKey(key, device: "d", identity: identity)
        #expect(try AgeEnvelope.open(device.wrapped, with: identity).secret.equals(key.secret))
        let bytes = try #require(AgeArmor.decode(device.wrapped))
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
            let error = #expect(throws: ContentStoreError.self, "\(seed): \(place)") {
                try AgeEnvelope.open(AgeArmor.encode(changed), with: identity)
            }
            #expect(error?.kind == .damaged || error?.kind == .wrongKey)
        }
        for length in 0..<bytes.count {
            #expect(throws: ContentStoreError.self) {
                try AgeEnvelope.open(AgeArmor.encode(Array(bytes[..<length])), with: identity)
            }
        }
    }

    @Test func `armor is read strictly`() throws {
        let text = AgeArmor.encode(Array(0..<100))
        #expect(AgeArmor.decode(text) == Array(0..<100))
        #expect(AgeArmor.decode("\n \n" + text.replacing("\n", with: "\r\n") + "\r\n \n") == Array(0..<100))
        let lines = text.split(separator: "\n").map(String.init)
        let wrong: [String] = [
            "", "\n", lines[0], text.replacing("BEGIN", with: "BEGINN"),
            text.replacing("END AGE", with: "END AG"),
            "x" + text, text + "x", [lines[0], lines[1] + lines[2], lines[3]].joined(separator: "\n"),
            [lines[0], lines[2], lines[1], lines[3]].joined(separator: "\n"),
            [lines[0], lines[3]].joined(separator: "\n"),
            text.replacing("=", with: ""), text.replacing("A", with: "!"),
            [lines[0], lines[1], "", lines[2], lines[3]].joined(separator: "\n"),
        ]
        for text in wrong { #expect(AgeArmor.decode(text) == nil, "\(text)") }
    }

    @Test func `headers that others would not write are refused`() throws {
        let body = String(repeating: "A", count: 43)
        let code = "--- " + body + "\n"
        func isRead(_ header: String) -> Bool { AgeHeader(parsing: header.utf8Bytes) != nil }
        let version = "age-encryption.org/v1\n"
        #expect(isRead(version + "-> X25519 abc\n\(body)\n" + code))
        #expect(isRead(version + "-> a\n\n-> b c d\n\(body)\n" + code))
        let long = String(repeating: "A", count: 64) + "\n"
        let headers: [String] = [
            "", version, "\(version)\(code)", "age-encryption.org/v2\n-> a\n\n\(code)",
            "\(version)-> \n\n\(code)",
            "\(version)-> a  b\n\n\(code)", "\(version)->a\n\n\(code)", "\(version)-> a\n\(code)",
            "\(version)-> a\n\(body)=\n\(code)", "\(version)-> a\n\n--- AAAA\n", "\(version)-> a\n\n---\n",
            "\(version)-> a\n\n\(code.dropLast())", "\(version)-> ä\n\n\(code)", "\(version)x\n\(code)",
            "\(version)\(String(repeating: "-> a\n\n", count: 65))\(code)",
            "\(version)-> a\n\(String(repeating: long, count: 2000))\n\(code)",
        ]
        for header in headers {
            #expect(!isRead(header), "\(header.prefix(80))")
        }
    }

    // MARK: Identities

    @Test func `an identity file may have comments, and exactly one key`() throws {
        let key = try StoreFixture.text("documents", "per_device_v3", "age_identity")
        let recipient = try Self.vector().file.deviceKeys[0].recipient
        for text in [key, key + "\n", "# created: today\n# public key: age1\n\n\(key)\r\n", key.lowercased()]
        {
            #expect(try AgeIdentity(Self.secret(text)).recipient == recipient)
        }
        let mixed = key.prefix(20) + key.dropFirst(20).lowercased()
        for text in [
            "", "#" + key, key + "\n" + key, String(key.dropLast()), key + "Q", String(mixed), " " + key,
            recipient,
            key.replacing("SECRET", with: "PUBLIC"), key.replacing("CGECVW", with: "CGECVV"), key + "\nx",
        ] {
            let error = #expect(throws: ContentStoreError.self) { try AgeIdentity(Self.secret(text)) }
            #expect(error?.code == .invalid)
        }
    }

    @Test func `an identity is read from a private file`() throws {
        let folder = try TemporaryFolder("valise-age", inMemory: true)
        let path = folder.appending("identity")
        let key = try StoreFixture.text("documents", "per_device_v3", "age_identity")
        try FileSystem().replace(path, with: key.utf8Bytes)
        #expect(try AgeIdentity.read(path).recipient == Self.vector().identity.recipient)
        try FileSystem().replace(path, with: "nothing".utf8Bytes)
        let error = #expect(throws: ContentStoreError.self) { try AgeIdentity.read(path) }
        #expect(error?.subject == path.string)
        #expect(chmod(path.string, 0o644) == 0)
        #expect(throws: FileError.self) { try AgeIdentity.read(path) }
    }

    // MARK: Peers

    @Test(.enabled(if: OtherProgram.isThere("age", "age-keygen")))
    func `age opens what is wrapped here, and the other way round`() throws {
        let folder = try TemporaryFolder("valise-age", inMemory: true)
        let (identityFile, keyFile) = (folder.appending("identity"), folder.appending("key"))
        let made = try #require(OtherProgram("age-keygen")).outcome(of: ["-o", identityFile.string])
        #expect(made.status == 0, "\(made.errors.text)")
        let identity = try AgeIdentity.read(identityFile)
        let age = try #require(OtherProgram("age"))
        let key = try ContentKey.random()
        let wrapped = try DeviceKey(key, device: "d", identity: identity).wrapped
        try FileSystem().replace(keyFile, with: wrapped.utf8Bytes)
        let opened = try age.outcome(of: ["-d", "-i", identityFile.string, keyFile.string])
        let bytes = key.secret.withBytes { Array($0) }
        #expect(opened.status == 0 && opened.output == bytes, "\(opened.errors.text)")
        try FileSystem().replace(keyFile, with: opened.output)
        let sealed = try age.outcome(of: ["-a", "-r", identity.recipient, keyFile.string])
        #expect(sealed.status == 0, "\(sealed.errors.text)")
        #expect(try AgeEnvelope.open(sealed.text, with: identity).secret.equals(key.secret))
    }

    @Test(.enabled(if: StoreFixture.peers != nil))
    func `rage opens what is wrapped here, and the other way round`() throws {
        let peer = try #require(StoreFixture.peers)
        let key = try ContentKey.random()
        let script = """
            import pyrage, sys
            identity = pyrage.x25519.Identity.from_str(sys.argv[1])
            key = pyrage.decrypt(sys.stdin.buffer.read(), [identity])
            sys.stdout.buffer.write(pyrage.encrypt(key, [identity.to_public()], armored=True))
            """
        let text = try StoreFixture.text("documents", "per_device_v3", "age_identity")
        let identity = try Self.vector().identity
        let wrapped = try DeviceKey(key, device: "d", identity: identity).wrapped
        let outcome = try peer.outcome(of: ["-c", script, text], input: wrapped)
        #expect(outcome.status == 0, "\(outcome.errors.text)")
        #expect(try AgeEnvelope.open(outcome.text, with: identity).secret.equals(key.secret))
    }
}
