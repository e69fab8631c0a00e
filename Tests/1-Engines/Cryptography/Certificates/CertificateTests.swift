import FaultInjection
import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseFailures

struct CertificateTests {
    private static let now: Int64 = 1_800_000_000

    @Test(arguments: SigningAlgorithm.allCases)
    func `an identity has the fields that the official server writes`(algorithm: SigningAlgorithm) throws {
        let authority = try CertificateAuthority.make(algorithm, now: Self.now)
        #expect(authority.certificate.commonName == "SMP server CA")
        #expect(authority.certificate.notBefore == Self.now)
        #expect(authority.certificate.notAfter == Self.now + 999_999 * 86_400)
        #expect(authority.certificate.publicKeyAlgorithm == algorithm)
        #expect(authority.certificate.publicKeyBytes == authority.key.publicBytes)
        #expect(
            try authority.certificate.der
                != CertificateAuthority.make(algorithm, now: Self.now).certificate.der)
    }

    /// The official files are Ed448. What differs by its nature is masked: numbers, times, keys, signatures.
    @Test(.enabled(if: OpenSSLTool.isThere))
    func `our certificates have the structure of the official server's`() throws {
        let tool = try OpenSSLTool()
        let authority = try CertificateAuthority.make(.ed448, now: Self.now)
        let leaf = try authority.issue(
            commonName: "127.0.0.1", for: SigningKey.generate(.ed448), now: Self.now)
        for (ours, theirs) in [(authority.certificate, "ca.crt"), (leaf, "server.crt")] {
            let path = try tool.store(try ours.pem(), theirs)
            let structure = try Self.masked(tool.run("asn1parse", "-in", path))
            #expect(structure == Self.masked(try tool.run("asn1parse", "-in", Fixture.path(theirs))))
            #expect(structure.contains { $0.contains("X509v3") })
        }
    }

    private static func masked(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init).map { line in
            // Offsets and lengths change with the numbers in front of them; a serial number may start with zeros.
            var line = line.replacing(#/^ *\d+:/#, with: "").replacing(#/hl=\d l= *\d+/#, with: "")
            line = line.replacing(#/(INTEGER +:)[0-9A-F]{30,}/#) { "\($0.output.1)" }
            line = line.replacing(#/(TIME +:).*/#) { "\($0.output.1)" }
            return line.replacing(#/(0414|80?14)[0-9A-F]{40}/#) { "\($0.output.1)" }
        }
    }

    @Test(.enabled(if: OpenSSLTool.isThere), arguments: SigningAlgorithm.allCases)
    func `openssl verifies and describes our certificates`(algorithm: SigningAlgorithm) throws {
        let tool = try OpenSSLTool()
        let authority = try CertificateAuthority.make(algorithm, now: Self.now)
        let leaf = try authority.issue(
            commonName: "relay.example", for: SigningKey.generate(algorithm), now: Self.now)
        let anchor = try tool.store(try authority.certificate.pem(), "ca.crt")
        let own = try tool.store(try leaf.pem(), "server.crt")
        let verdict = try tool.run(
            "verify", "-purpose", "sslserver", "-attime", "\(Self.now + 1)", "-CAfile", anchor,
            own)
        #expect(verdict.contains("server.crt: OK"))
        let text = try tool.run("x509", "-in", own, "-noout", "-text")
        #expect(text.contains("CN = relay.example"))
        #expect(text.contains("Digital Signature, Non Repudiation, Key Agreement"))
        #expect(text.contains("TLS Web Server Authentication"))
        let fingerprint = try tool.run("x509", "-in", anchor, "-noout", "-fingerprint", "-sha256")
        let hexadecimal = Hexadecimal.encode(authority.certificate.fingerprint).uppercased()
        #expect(fingerprint.replacing(":", with: "").contains(hexadecimal))
    }

    @Test func `the official server's files are read and vouch for each other`() throws {
        let chain = try ["server.crt", "ca.crt"].map {
            try #require(try Certificate.chain(pem: Fixture.bytes($0)).first)
        }
        let fingerprint = try #require(Base64URL.decode("TaeXENZxpeKwBui7S5YvWHSsw4E9IKS9EfkTwSfXDOI="))
        try CertificateChain(chain).validate(fingerprint: fingerprint, at: 1_900_000_000)
        #expect(chain[0].commonName == "127.0.0.1")
        #expect(chain[0].publicKeyAlgorithm == .ed448)
    }

    @Test func `several certificates of one file keep their order`() throws {
        let both = try Fixture.bytes("server.crt") + Array("something else\n".utf8) + Fixture.bytes("ca.crt")
        #expect(try Certificate.chain(pem: both).map(\.commonName) == ["127.0.0.1", "SMP server CA"])
    }

    @Test func `files without a whole certificate are refused`() throws {
        let whole = try Fixture.bytes("ca.crt")
        let many = (0..<11).flatMap { _ in whole }
        let cut = Array(whole.dropLast(40))
        let huge = [UInt8](repeating: 10, count: Certificate.fileSizeLimit + 1)
        for text in [[], Array("nothing".utf8), cut, many, whole + cut, huge] {
            #expect { try Certificate.chain(pem: text) } throws: {
                ($0 as? CertificateError)?.code == .damaged
            }
        }
    }

    @Test func `bytes that are not exactly one certificate are refused`() throws {
        let whole = try #require(Certificate.chain(pem: Fixture.bytes("ca.crt")).first).der
        let huge = [UInt8](repeating: 0x30, count: Certificate.sizeLimit + 1)
        for bytes in [[], Array(whole.dropLast()), whole + [0], [0x30, 0x84, 0xff, 0xff, 0xff, 0xff], huge] {
            #expect { try Certificate(der: bytes) } throws: { ($0 as? CertificateError)?.code == .damaged }
        }
    }

    @Test func `no changed byte gets through`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let authority = try CertificateAuthority.make(.ed25519, now: Self.now)
        let leaf = try authority.issue(
            commonName: "x", for: SigningKey.generate(.ed25519), now: Self.now)
        for _ in 0..<500 {
            var bytes = leaf.der
            bytes[Int.random(in: bytes.indices, using: &random)] ^=
                1 << UInt8.random(in: 0...7, using: &random)
            #expect(throws: CertificateError.self, "\(Hexadecimal.encode(bytes))") {
                let changed = try Certificate(der: bytes)
                _ = (changed.commonName, changed.notBefore, changed.notAfter)
                try CertificateChain([changed, authority.certificate]).validate(
                    fingerprint: authority.certificate.fingerprint, at: Self.now + 1)
            }
        }
    }

    @Test func `names are written as they are, and refused where they cannot be`() throws {
        let authority = try CertificateAuthority.make(.ed25519, now: Self.now)
        let key = try SigningKey.generate(.ed25519)
        for name in ["relay.example", "2001:db8::1", "münchen.example", String(repeating: "a", count: 64)] {
            #expect(try authority.issue(commonName: name, for: key, now: Self.now).commonName == name)
        }
        for name in ["", String(repeating: "a", count: 65)] {
            #expect { try authority.issue(commonName: name, for: key, now: Self.now) } throws: {
                ($0 as? CertificateError)?.code == .invalid
            }
        }
    }

    @Test func `an identity's key and certificate have to belong together`() throws {
        let authority = try CertificateAuthority.make(.ed25519, now: Self.now)
        for algorithm in SigningAlgorithm.allCases {
            let other = try SigningKey.generate(algorithm)
            #expect { try CertificateAuthority(certificate: authority.certificate, key: other) } throws: {
                ($0 as? CertificateError)?.code == .invalid
            }
        }
    }
}
