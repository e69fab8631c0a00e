import FaultInjection
import Testing
import ValiseEncoding
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// Configurations and the polynomials in them.
struct RepositoryConfigTests {
    private static let id = String(repeating: "0123456789abcdef", count: 4)

    private static func json(
        version: String = "2", id: String = id, polynomial: String = "3da3358b4dc173", more: String = ""
    ) -> [UInt8] {
        Array(#"{"version":\#(version),"id":"\#(id)","chunker_polynomial":"\#(polynomial)"\#(more)}"#.utf8)
    }

    @Test func `a new configuration is read again`() throws {
        let key = try MasterKey.random()
        for version in RepositoryConfig.versions {
            let config = try RepositoryConfig.make(version: version)
            #expect(config.version == version && config.chunkerPolynomial.degree == 53)
            #expect(try RepositoryConfig(decoding: config.encode()) == config)
            #expect(try RepositoryConfig.open(config.seal(key), key) == config)
            #expect(try RepositoryConfig.make(version: version) != config)
        }
        for version in [0, 3, -1] {
            #expect(try repositoryFailure { try RepositoryConfig.make(version: version) } == .invalid)
        }
    }

    @Test func `what is given is written, and rustic's settings are ignored`() throws {
        let json = Self.json()
        #expect(try RepositoryConfig(decoding: json).encode() == json)
        let more =
            #","chunker":"FixedSize","chunk_size":4096,"is_hot":null,"append_only":true,"compression":3,"extra_verify":false"#
        #expect(try RepositoryConfig(decoding: Self.json(more: more)).encode() == json)
        let spaced = String(decoding: json, as: UTF8.self).replacing(",", with: " ,\n ")
        #expect(try RepositoryConfig(decoding: Array(spaced.utf8)).encode() == json)
    }

    @Test(arguments: ["3", "4", "9223372036854775807"])
    func `a later version is newer than this program, whatever else is in it`(version: String) throws {
        for json in [Self.json(version: version), Array(#"{"version":\#(version)}"#.utf8)] {
            do {
                _ = try RepositoryConfig(decoding: json)
                Issue.record("no error")
            } catch {
                #expect(error.kind == .newer && error.code == .newer)
            }
        }
    }

    @Test(arguments: [
        json(version: "0"), json(version: "-1"), json(version: "2.0"), json(version: #""2""#),
        json(version: "null"), json(version: "9223372036854775808"), json(id: ""), json(id: "abc"),
        json(id: id.uppercased()), json(id: id + "00"), json(polynomial: ""), json(polynomial: "xyz"),
        json(polynomial: "+3da3358b4dc173"), json(polynomial: "-1"), json(polynomial: "3da3358b4dc172"),
        json(polynomial: "0"), json(polynomial: "1"), json(polynomial: "13da3358b4dc1733da3358b4dc173"),
        [], Array("{}".utf8), Array("[2]".utf8), json().dropLast(),
    ])
    func `what is no configuration is damaged`(json: [UInt8]) throws {
        #expect(try repositoryFailure { try RepositoryConfig(decoding: json) } == .damaged)
    }

    @Test func `a configuration under another key is damaged, and the failure names it`() throws {
        let stored = try RepositoryConfig.make().seal(.random())
        do {
            _ = try RepositoryConfig.open(stored, .random())
            Issue.record("no error")
        } catch let error as RepositoryError {
            #expect(error.kind == .damaged && error.subject == "config")
        }
    }

    // MARK: Polynomials

    private static func isIrreducible(_ bits: UInt64) -> Bool { (try? ChunkerPolynomial(bits: bits)) != nil }

    /// Gauss's numbers of irreducible polynomials of each degree.
    @Test func `there are as many irreducible polynomials of each degree as there should be`() {
        for (degree, count) in zip(1..., [2, 1, 2, 3, 6, 9, 18, 30, 56, 99, 186, 335]) {
            let top: UInt64 = 1 << UInt64(degree)
            #expect((top..<2 * top).count(where: Self.isIrreducible) == count, "degree \(degree)")
        }
        #expect(!Self.isIrreducible(0) && !Self.isIrreducible(1))
    }

    @Test(
        arguments: [
            0x3d_a335_8b4d_c173, 0x29_9c5b_9b0d_cd11, 0x23_a154_6a28_e9c7,
            // Trinomials from tables: x^63 + x + 1, x^60 + x + 1.
            1 << 63 | 0b11, 1 << 60 | 0b11,
        ] as [UInt64])
    func `known irreducible ones are taken`(bits: UInt64) throws {
        let polynomial = try ChunkerPolynomial(bits: bits)
        #expect(try ChunkerPolynomial(text: polynomial.text) == polynomial)
        #expect(polynomial.degree == 63 - bits.leadingZeroBitCount)
    }

    @Test func `products are refused, and random ones are irreducible`() throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("polynomials"))
        for _ in 0..<300 {
            let left = UInt64.random(in: 2..<1 << 27, using: &random)
            let right = UInt64.random(in: 2..<1 << 27, using: &random)
            var product: UInt64 = 0
            for bit in 0..<27 where right >> UInt64(bit) & 1 == 1 { product ^= left << UInt64(bit) }
            #expect(!Self.isIrreducible(product), "\(left) times \(right)")
        }
        var drawn: Set<ChunkerPolynomial> = []
        for _ in 0..<20 {
            let polynomial = ChunkerPolynomial.random(using: &random)
            #expect(polynomial.degree == 53 && polynomial.bits & 1 == 1)
            drawn.insert(polynomial)
        }
        #expect(drawn.count == 20)
    }
}
