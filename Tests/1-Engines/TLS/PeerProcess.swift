import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseCryptography
import ValiseFiles
import ValiseSecrets

/// Another program on the other side of a connection.
final class PeerProcess {
    private let process = Process()
    private let input = Pipe.uninherited()
    private let output = Pipe.uninherited()
    private var unread: [UInt8] = []

    static let script = Repository.beside("Support/peer.py").path

    /// - Parameter arguments: the program and what it gets.
    init(_ arguments: [String]) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "60"] + arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.start()
    }

    deinit { if process.isRunning { process.terminate() } }

    /// The next line that the program prints; what it had printed otherwise is the error.
    func line() throws -> String {
        while true {
            if let end = unread.firstIndex(of: 10) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the peer ended: \(String(decoding: unread, as: UTF8.self))")
            unread.append(contentsOf: more)
        }
    }

    /// The first line with these words.
    func line(containing words: String) throws -> String {
        while true {
            let line = try line()
            if line.contains(words) { return line }
        }
    }

    func type(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }
    func endInput() throws { try input.fileHandleForWriting.close() }

    /// Everything else that it prints until it ends.
    func rest() -> String {
        unread.append(contentsOf: output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        defer { unread = [] }
        return String(decoding: unread, as: UTF8.self)
    }
}

/// Files for other programs, gone with the test.
struct PeerFiles {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("tls-peer", inMemory: true) }

    func path(_ name: String) -> String { folder.appending(name).string }

    func store(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(name)))
        return path(name)
    }

    func read(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path(name)))) }

    /// The files of an identity: its whole chain, the identity certificate, the key.
    func store(_ identity: TestIdentity) throws -> (chain: String, authority: String, key: String) {
        let authority = try identity.authority.certificate.pem()
        return (
            try store(identity.leaf.pem() + authority, "chain.pem"), try store(authority, "ca.pem"),
            try store(identity.key.pem().withBytes { [UInt8]($0) }, "key.pem")
        )
    }
}

/// What `peer.py` says was agreed on.
struct PeerAnswer: Decodable {
    let alpn: String?
    let version: String
    let suite: String
    let session: String?
    let names: [String?]?
    let echoed: Bool?
    let subject: String?

    init(_ line: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(line.utf8)) }
}
