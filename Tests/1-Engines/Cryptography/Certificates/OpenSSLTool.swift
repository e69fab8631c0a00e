import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// OpenSSL's own command line, which reads what we write and writes what we read.
struct OpenSSLTool {
    static let isThere = OtherProgram.isThere("openssl")

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("openssl", inMemory: true) }

    func path(_ name: String) -> String { folder.appending(name).string }

    func store(_ bytes: [UInt8], _ name: String) throws -> String {
        let path = path(name)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    static func read(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

    /// Runs the tool, requires its success and returns what it says.
    func run(_ arguments: String...) throws -> String {
        let (status, text) = try #require(OtherProgram("openssl")).run(arguments)
        try #require(status == 0, "openssl \(arguments): \(text)")
        return text
    }
}

/// Files of other programs.
enum Fixture {
    private static let folder = Repository.beside("Fixtures")

    static func path(_ name: String) -> String { folder.appending(path: name).path }
    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    /// The handshakes of `handshake.json`, one for each algorithm.
    struct Handshake: Decodable {
        let name: String
        let leafDer: String?
        let caDer: String?
        let caSha256Fingerprint: String?
        let signedKeyObjectDer: String?
        let signedKeySignature: String?
        let pem: String?
        let caPem: String?
        let leafPem: String?
    }

    static func handshakes() throws -> [Handshake] {
        struct File: Decodable { let vectors: [Handshake] }
        let data = try Data(contentsOf: folder.appending(path: "handshake.json"))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(File.self, from: data).vectors
    }
}
