import Testing
import ValiseCryptography
import ValiseFailures

struct CertificateChainTests {
    private static let now: Int64 = 1_800_000_000
    private let root: CertificateAuthority
    private let key: SigningKey

    init() throws {
        root = try CertificateAuthority.make(.ed25519, now: Self.now)
        key = try SigningKey.generate(.ed25519)
    }

    private func leaf(_ authority: CertificateAuthority, days: Int32 = 1000) throws -> Certificate {
        try authority.issue(commonName: "localhost", for: key, now: Self.now, days: days)
    }

    private func check(
        _ chain: [Certificate], _ identity: CertificateAuthority, at time: Int64 = Self.now + 1
    ) throws {
        try CertificateChain(chain).validate(fingerprint: identity.certificate.fingerprint, at: time)
    }

    private func expectRefusal(
        _ chain: [Certificate], _ identity: CertificateAuthority, _ words: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(sourceLocation: location) { try check(chain, identity) } throws: {
            guard let error = $0 as? CertificateError else { return false }
            return error.code == .denied && "\(error)".contains(words) && !error.isExpiry
        }
    }

    @Test func `a chain has two to four certificates`() throws {
        let network = try root.subordinate(commonName: "network", .ed448, now: Self.now)
        let identity = try network.subordinate(commonName: "identity", .ed25519, now: Self.now)
        let own = try leaf(identity)
        try check([own, identity.certificate], identity)
        try check([own, identity.certificate, network.certificate], identity)
        try check([own, identity.certificate, network.certificate, root.certificate], identity)
        let four = [own, identity.certificate, network.certificate, root.certificate]
        for chain in [[], [own], four + [root.certificate]] {
            #expect { try CertificateChain(chain) } throws: { ($0 as? CertificateError)?.code == .damaged }
            #expect { try CertificateChain(der: chain.map(\.der)) } throws: {
                ($0 as? CertificateError)?.code == .damaged
            }
        }
    }

    @Test func `another identity is refused, even with the same names`() throws {
        let other = try CertificateAuthority.make(.ed25519, now: Self.now)
        expectRefusal([try leaf(other), other.certificate], root, "fingerprint")
        expectRefusal([try leaf(other), root.certificate], root, "valid chain")
        #expect(throws: CertificateError.self) {
            try CertificateChain([leaf(root), root.certificate]).validate(fingerprint: [], at: Self.now + 1)
        }
    }

    @Test func `an identity between a stranger's leaf and anchor vouches for neither`() throws {
        let stranger = try CertificateAuthority.make(.ed25519, now: Self.now)
        let own = try leaf(stranger)
        expectRefusal([own, root.certificate, stranger.certificate], root, "valid chain")
        let below = try stranger.subordinate(commonName: "below", .ed25519, now: Self.now)
        expectRefusal(
            [try leaf(below), root.certificate, below.certificate, stranger.certificate], root, "")
        expectRefusal([own, root.certificate, root.certificate, stranger.certificate], root, "")
    }

    @Test func `the order is that of the path`() throws {
        let network = try root.subordinate(commonName: "network", .ed25519, now: Self.now)
        let identity = try network.subordinate(commonName: "identity", .ed25519, now: Self.now)
        let own = try leaf(identity)
        expectRefusal(
            [own, identity.certificate, root.certificate, network.certificate], identity, "valid chain")
        expectRefusal([identity.certificate, identity.certificate], identity, "valid chain")
        expectRefusal([own, network.certificate, root.certificate], network, "")
    }

    @Test func `only an authority signs`() throws {
        let fake = try root.subordinate(commonName: "fake", .ed25519, now: Self.now, isAuthority: false)
        expectRefusal([try leaf(fake), fake.certificate], fake, "not a CA")
        expectRefusal([try leaf(fake), fake.certificate, root.certificate], fake, "not a CA")
    }

    @Test func `the time is the caller's`() throws {
        let chain = [try leaf(root, days: 10), root.certificate]
        try check(chain, root, at: Self.now + 10 * 86_400 - 1)
        for time in [Self.now - 1, Self.now + 10 * 86_400 + 1] {
            #expect { try check(chain, root, at: time) } throws: {
                ($0 as? CertificateError)?.isExpiry == true
            }
        }
    }
}
