import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseSecrets

struct SigningKeyTests {
    @Test(arguments: SigningAlgorithm.allCases)
    func `a key comes back from its text and signs the same`(algorithm: SigningAlgorithm) throws {
        let key = try SigningKey.generate(algorithm)
        let again = try SigningKey(pem: try key.pem())
        #expect(again.algorithm == algorithm)
        #expect(again.publicBytes == key.publicBytes)
        #expect(key.publicBytes.count == algorithm.publicKeySize)
        #expect(try again.sign([1, 2]) == key.sign([1, 2]))
        #expect(try key.sign([1, 2]).count == algorithm.signatureSize)
        #expect(try key.sign([]) != key.sign([0]))
        #expect("\(key)" == "<redacted>")
    }

    @Test(.enabled(if: OpenSSLTool.isThere), arguments: SigningAlgorithm.allCases)
    func `openssl reads the key that we write, and we the one that it writes`(
        algorithm: SigningAlgorithm
    ) throws {
        let tool = try OpenSSLTool()
        let key = try SigningKey.generate(algorithm)
        let text = try key.pem().withBytes { [UInt8]($0) }
        #expect(text.starts(with: Array("-----BEGIN PRIVATE KEY-----\n".utf8)))
        let ours = try tool.store(text, "ours.key")
        let message = try tool.store([7, 8, 9], "message")
        let signature = tool.path("signature")
        _ = try tool.run("pkeyutl", "-sign", "-rawin", "-inkey", ours, "-in", message, "-out", signature)
        #expect(try OpenSSLTool.read(signature) == key.sign([7, 8, 9]))

        let theirs = tool.path("theirs.key")
        _ = try tool.run("genpkey", "-algorithm", algorithm.rawValue, "-out", theirs)
        let read = try SigningKey(pem: SecretBytes(copying: OpenSSLTool.read(theirs)))
        #expect(read.algorithm == algorithm)
    }

    @Test(.enabled(if: OpenSSLTool.isThere))
    func `a key of a web certificate is taken and does not sign for an identity`() throws {
        let tool = try OpenSSLTool()
        let path = tool.path("web.key")
        _ = try tool.run(
            "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path)
        let key = try SigningKey(pem: SecretBytes(copying: OpenSSLTool.read(path)))
        #expect(key.algorithm == nil)
        #expect(key.publicBytes.isEmpty)
        #expect { try key.sign([1]) } throws: { ($0 as? CertificateError)?.code == .unsupported }
    }

    @Test(.enabled(if: OpenSSLTool.isThere))
    func `an encrypted key is refused without a question`() throws {
        let tool = try OpenSSLTool()
        let path = tool.path("locked.key")
        _ = try tool.run("genpkey", "-algorithm", "ed25519", "-aes256", "-pass", "pass:x", "-out", path)
        let text = try SecretBytes(copying: OpenSSLTool.read(path))
        #expect { try SigningKey(pem: text) } throws: {
            let error = $0 as? CertificateError
            return error?.code == .unsupported && error?.remedy == .storeKeyUnencrypted
        }
    }

    @Test(arguments: ["", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func `other texts are no keys`(text: String) throws {
        let bytes = try SecretBytes(copying: Array(text.utf8))
        #expect { try SigningKey(pem: bytes) } throws: { ($0 as? CertificateError)?.code == .damaged }
    }

    @Test func `a file of any size is not read as a key`() throws {
        let bytes = try SecretBytes(copying: [UInt8](repeating: 65, count: SigningKey.sizeLimit + 1))
        #expect { try SigningKey(pem: bytes) } throws: { ($0 as? CertificateError)?.code == .damaged }
    }

    @Test(arguments: ["ED25519", "ED448"])
    func `the recorded handshake is signed in the same way`(algorithm: String) throws {
        let vectors = try Fixture.handshakes()
        let hello = try #require(vectors.first { $0.name == "server handshake, \(algorithm), native" })
        let keyFile = try #require(vectors.first { $0.name.hasPrefix("leaf private key \(algorithm) ") })
        let key = try SigningKey(pem: SecretBytes(copying: Array((keyFile.pem ?? "").utf8)))
        let object = try bytes(hello.signedKeyObjectDer)
        let signature = try bytes(hello.signedKeySignature)
        #expect(try key.sign(object) == signature)
        let leaf = try Certificate(der: bytes(hello.leafDer))
        #expect(leaf.belongs(to: key))
        #expect(leaf.publicKeyBytes == key.publicBytes)
        #expect(leaf.verify(signature, of: object))
        #expect(!leaf.verify(signature, of: object + [0]))
        #expect(!leaf.verify(signature.dropLast(), of: object))
        #expect(!leaf.verify([], of: object))
        let authority = try Certificate(der: bytes(hello.caDer))
        #expect(!authority.verify(signature, of: object))
        #expect(Hexadecimal.encode(authority.fingerprint) == hello.caSha256Fingerprint)
        try CertificateChain([leaf, authority]).validate(
            fingerprint: authority.fingerprint, at: 1_900_000_000)
        #expect(try Certificate.chain(pem: Array((keyFile.leafPem ?? "").utf8)) == [leaf])
    }

    private func bytes(_ hexadecimal: String?) throws -> [UInt8] {
        try #require(Hexadecimal.decode(hexadecimal ?? "missing"))
    }
}
