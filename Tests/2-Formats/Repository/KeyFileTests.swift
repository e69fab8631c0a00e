import FaultInjection
import Foundation
import Testing
import ValiseEncoding
import ValiseRepository
import ValiseSecrets

/// Key files: passwords and what they cost.
struct KeyFileTests {
    /// What takes no time.
    private static func cheap() throws -> ScryptParameters { try ScryptParameters(n: 16, r: 1, p: 1) }

    // MARK: Scrypt

    /// RFC 7914, section 12. The second part of the key is 16 bytes of k, then r.
    @Test(
        arguments: [
            (
                "", "", 16, 1, 1,
                "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                    + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
            ),
            (
                "password", "NaCl", 1024, 8, 16,
                "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                    + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
            ),
        ] as [(String, String, Int64, Int64, Int64, String)])
    func `scrypt gives the published keys`(
        password: String, salt: String, n: Int64, r: Int64, p: Int64, expected: String
    ) throws {
        let key = try ScryptParameters(n: n, r: r, p: p).key(secret(password), salt: Array(salt.utf8))
        let bytes = try #require(Hexadecimal.decode(expected))
        #expect(key.equals(try MasterKey(SecretBytes(copying: bytes))))
    }

    @Test(
        arguments: [
            (3, 8, 1), (0, 8, 1), (1, 8, 1), (-2, 8, 1), (Int64.min, 8, 1), (16, 0, 1), (16, -1, 1),
            (16, 8, 0), (16, 8, -1), (1000, 8, 1),
        ] as [(Int64, Int64, Int64)])
    func `impossible parameters are damage`(n: Int64, r: Int64, p: Int64) throws {
        #expect(try repositoryFailure { try ScryptParameters(n: n, r: r, p: p) } == .damaged)
    }

    @Test(
        arguments: [
            (1 << 62, 8, 1), (1 << 40, 8, 1), (1 << 21, 8, 1), (32_768, 1 << 40, 1), (32_768, .max, 1),
            (32_768, 8, 65), (32_768, 8, .max), (1 << 20, 8, 64), (2, 1 << 23, 1),
        ] as [(Int64, Int64, Int64)])
    func `parameters that would take all memory or minutes are refused`(n: Int64, r: Int64, p: Int64) throws {
        #expect(try repositoryFailure { try ScryptParameters(n: n, r: r, p: p) } == .unsupported)
    }

    @Test(
        arguments: [(32_768, 8, 5), (131_072, 8, 1), (1 << 20, 8, 1), (1 << 20, 8, 16), (32_768, 8, 64)]
            as [(Int64, Int64, Int64)])
    func `what other programs write is taken`(n: Int64, r: Int64, p: Int64) throws {
        let parameters = try ScryptParameters(n: n, r: r, p: p)
        #expect((parameters.n, parameters.r, parameters.p) == (Int(n), Int(r), Int(p)))
        #expect(parameters.memory <= ScryptParameters.largestMemory)
    }

    @Test(arguments: [(100, 5), (1000, 1), (499, 1), (1, 32), (0, 32), (40, 13)])
    func `calibration repeats what takes 32 MiB until the time is used`(once: Int, p: Int) throws {
        let parameters = try ScryptParameters.calibrated(to: .milliseconds(500)) { asked in
            #expect((asked.n, asked.r, asked.p) == (32_768, 8, 1))
            return .milliseconds(once)
        }
        #expect(parameters == (try ScryptParameters(n: 32_768, r: 8, p: Int64(p))))
        #expect(parameters.memory == 32 << 20)
    }

    @Test func `calibration on this machine ends with numbers that are read again`() throws {
        let parameters = try ScryptParameters.calibrated(to: .milliseconds(50))
        #expect(
            try ScryptParameters(n: Int64(parameters.n), r: Int64(parameters.r), p: Int64(parameters.p))
                == parameters)
    }

    // MARK: Files

    @Test(arguments: ["", "a", "correct horse", "Pässwort ✅ тест", String(repeating: "long ", count: 500)])
    func `a key file is opened by its password only`(password: String) throws {
        let master = try MasterKey.random()
        let file = try KeyFile.make(for: master, password: secret(password), Self.cheap())
        let read = try KeyFile(decoding: file.encode())
        #expect(read == file)
        #expect(try read.unlock(secret(password)).equals(master))
        for wrong in [password + " ", password.uppercased() + "!", "x"] {
            #expect(try repositoryFailure { try read.unlock(secret(wrong)) } == .wrongPassword)
        }
    }

    @Test func `two key files of one password have nothing in common but the master key`() throws {
        let master = try MasterKey.random()
        let files = try (0..<2).map { _ in
            try KeyFile.make(for: master, password: secret("same"), Self.cheap())
        }
        #expect(files[0].salt != files[1].salt && files[0].data != files[1].data)
        for file in files { #expect(try file.unlock(secret("same")).equals(master)) }
    }

    @Test func `the file has the fields in the order of restic's, and neutral names`() throws {
        let time = try #require(UTCTime("2026-11-23T09:23:34Z"))
        let file = try KeyFile.make(for: .random(), password: secret("p"), Self.cheap(), created: time)
        let node = try #require(JSONNode(parsing: file.encode())?.objectValue)
        #expect(
            node.map(\.key) == ["created", "username", "hostname", "kdf", "N", "r", "p", "salt", "data"])
        let text = String(decoding: file.encode(), as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"{"created":"2026-11-23T09:23:34Z","username":"user","hostname":"host","kdf":"scrypt","N":16,"r":1,"p":1,"salt":""#
            ))
        #expect(text.hasSuffix(#""}"#))
        #expect(file.salt.count == 64)
    }

    /// A key file as JSON, with other values in some fields; nil leaves one out.
    private static func json(_ changes: [String: String?] = [:]) throws -> [UInt8] {
        let file = try KeyFile.make(for: .random(), password: secret("p"), cheap())
        let members = try #require(JSONNode(parsing: file.encode())?.objectValue)
        let texts = members.compactMap { member -> String? in
            switch changes[member.key] {
            case .some(.some(let value)): "\"\(member.key)\":\(value)"
            case .some(.none): nil
            case .none: "\"\(member.key)\":\(member.value.jsonText)"
            }
        }
        return Array("{\(texts.joined(separator: ","))}".utf8)
    }

    @Test func `fields that need not be there may be missing, unknown ones are ignored`() throws {
        let json = try Self.json(["created": nil, "username": nil, "hostname": nil])
        let file = try KeyFile(decoding: json)
        #expect(file.created == nil && file.username == nil && file.hostname == nil)
        _ = try file.unlock(secret("p"))
        #expect(try KeyFile(decoding: file.encode()) == file)
        let more = Array(#"{"later":[{"a":null}],"#.utf8) + json.dropFirst()
        #expect(try KeyFile(decoding: more) == file)
    }

    @Test(
        arguments: [
            ("kdf", #""argon2""#, .unsupported), ("kdf", nil, .damaged), ("kdf", "1", .damaged),
            ("N", "3", .damaged), ("N", #""16""#, .damaged), ("N", "16.5", .damaged),
            ("N", "1e9", .damaged), ("N", "99999999999999999999", .damaged), ("N", nil, .damaged),
            ("N", "4611686018427387904", .unsupported), ("r", "1099511627776", .unsupported),
            ("p", "65", .unsupported), ("p", "0", .damaged), ("salt", #""""#, .damaged),
            ("salt", #""AAAA""#, .damaged), ("salt", #""no base64""#, .damaged), ("salt", nil, .damaged),
            ("data", #""A""#, .damaged), ("data", nil, .damaged), ("data", "[]", .damaged),
        ] as [(String, String?, RepositoryError.Kind)])
    func `hostile key files are refused before any key is derived`(
        field: String, value: String?, kind: RepositoryError.Kind
    ) throws {
        let json = try Self.json([field: value])
        #expect(try repositoryFailure { try KeyFile(decoding: json) } == kind)
    }

    @Test func `what is no key file is damaged`() throws {
        for text in ["", "{", "[]", "null", "1", "{}", String(repeating: "[", count: 50_000)] {
            #expect(try repositoryFailure { try KeyFile(decoding: Array(text.utf8)) } == .damaged)
        }
        let large = try Self.json(["created": "\"\(String(repeating: "x", count: KeyFile.largest))\""])
        #expect(try repositoryFailure { try KeyFile(decoding: large) } == .damaged)
    }

    @Test func `each flipped byte of the sealed master key is a wrong password`() throws {
        let file = try KeyFile.make(for: .random(), password: secret("p"), Self.cheap())
        for place in stride(from: 0, to: file.data.count, by: 7) {
            var data = file.data
            data[place] ^= 1
            let json = try Self.replacing(data, in: file)
            #expect(
                try repositoryFailure { try KeyFile(decoding: json).unlock(secret("p")) } == .wrongPassword)
        }
        for data in [[], [UInt8](repeating: 1, count: 31), [UInt8](repeating: 0, count: 200)] {
            let json = try Self.replacing(data, in: file)
            #expect(try repositoryFailure { try KeyFile(decoding: json).unlock(secret("p")) } == .damaged)
        }
    }

    private static func replacing(_ data: [UInt8], in file: KeyFile) throws -> [UInt8] {
        let old = Base64.encode(file.data)
        let text = String(decoding: file.encode(), as: UTF8.self)
        #expect(text.contains(old))
        return Array(text.replacing(old, with: Base64.encode(data)).utf8)
    }

    // MARK: The master key's text

    private static let (k, r, e) = (
        Base64.encode((1...16).map { UInt8($0) }), Base64.encode((17...32).map { UInt8($0) }),
        Base64.encode((33...64).map { UInt8($0) })
    )

    /// What is opened of a key file with this text for the master key.
    private static func unlocking(_ text: String) throws -> MasterKey {
        let file = try KeyFile.make(for: .random(), password: secret("p"), cheap())
        let data = try cheap().key(secret("p"), salt: file.salt).seal(Array(text.utf8))
        return try KeyFile(decoding: replacing(data, in: file)).unlock(secret("p"))
    }

    @Test(arguments: [
        #"{"mac":{"k":"K","r":"R"},"encrypt":"E"}"#,
        #"{"encrypt":"E","mac":{"r":"R","k":"K"}}"#,
        " { \"later\" : [ 1.5e-3 , true , { \"k\" : \"\\\"\" } ] , \"mac\" : { \"x\":{}, \"k\" : \"K\" ,\n\t\"r\":\"R\" } , \"encrypt\" : \"E\" } \r\n",
        #"{"k":"no","r":"no","mac":{"k":"K","r":"R","encrypt":"no"},"encrypt":"E","z":[]}"#,
    ])
    func `the text of a master key is read in any order and with further fields`(form: String) throws {
        let text = form.replacing("\"K\"", with: "\"\(Self.k)\"").replacing("\"R\"", with: "\"\(Self.r)\"")
            .replacing("\"E\"", with: "\"\(Self.e)\"")
        let parts = (33...64).map { UInt8($0) } + (1...32).map { UInt8($0) }
        #expect(try Self.unlocking(text).equals(MasterKey(SecretBytes(copying: parts))))
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"mac":{"k":"K","r":"R"}}"#, #"{"mac":{"k":"K"},"encrypt":"E"}"#,
        #"{"mac":{"k":"E","r":"R"},"encrypt":"E"}"#, #"{"mac":{"k":"K","r":"R"},"encrypt":"K"}"#,
        #"{"mac":{"k":"K","r":"R"},"encrypt":"E""#, #"{"mac":{"k":"K","r":"R"},"encrypt":"E"}x"#,
        #"{"mac":{"k":"","r":"R"},"encrypt":"E"}"#, #"{"mac":{"k":"K","r":"R"},"encrypt":"E\"#,
        #"{"mac":{"k":1,"r":"R"},"encrypt":"E"}"#, #"{"mac" "k"}"#, #"{"mac":"#, #"{,}"#, #"{"a":}"#,
        #"{"mac":{"k":"Z","r":"R"},"encrypt":"E"}"#,
    ])
    func `a master key that is none is damaged, with the right password`(form: String) throws {
        let text = form.replacing("\"K\"", with: "\"\(Self.k)\"").replacing("\"R\"", with: "\"\(Self.r)\"")
            .replacing("\"E\"", with: "\"\(Self.e)\"").replacing(
                "\"Z\"", with: "\"AAAAAAAAAAAAAAAAAAAAAA==\"")
        #expect(try repositoryFailure { try Self.unlocking(text) } == .damaged)
    }

    @Test func `a deep text is no danger to the stack`() throws {
        let deep = String(repeating: #"{"a":"#, count: 5000)
        #expect(try repositoryFailure { try Self.unlocking(deep) } == .damaged)
    }
}
