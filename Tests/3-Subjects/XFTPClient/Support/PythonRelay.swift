import FaultInjection
import Foundation
import Synchronization
import SystemPackage
import Testing
import ValiseCryptography
import ValiseSecrets
import ValiseXFTPClient
import ValiseXFTPWire

/// A relay in Python (relay.py), written from the fact sheet alone: it does what relays do, or what it is told to do
/// wrong. Gone with the object.
final class PythonRelay: Sendable {
    let port: UInt16
    let fingerprint: [UInt8]
    private let number: Int
    private let folder: TemporaryFolderHolder?

    static let isAvailable = RelayProgram.python != nil

    /// - Parameters:
    ///   - faults: what it does wrong, as relay.py has it.
    ///   - days: how long its certificate is valid.
    init(_ faults: [String: any Sendable] = [:], days: Int32 = 999_999) async throws {
        let folder = try TemporaryFolder("valise-relay", inMemory: true)
        let now = Int64(Date().timeIntervalSince1970)
        let authority = try CertificateAuthority.make(.ed25519, now: now)
        let key = try SigningKey.generate(.ed25519)
        let leaf = try authority.issue(commonName: "localhost", for: key, now: now, days: days)
        let chain = try leaf.pem() + authority.certificate.pem()
        try Data(chain).write(to: URL(filePath: folder.appending("chain.pem").string))
        try key.pem().withBytes { pem in
            try Data(pem).write(to: URL(filePath: folder.appending("key.pem").string))
        }
        fingerprint = authority.certificate.fingerprint
        var settings: [String: any Sendable] = faults
        settings["chain"] = folder.appending("chain.pem").string
        settings["key"] = folder.appending("key.pem").string
        settings["fingerprint"] = fingerprint.map { String(format: "%02x", $0) }.joined()
        (number, port) = try await RelayProgram.shared.start(settings)
        self.folder = TemporaryFolderHolder(folder: folder)
    }

    deinit { RelayProgram.shared.stop(number) }

    var address: XFTPAddress { address(fingerprint: fingerprint) }

    func address(fingerprint: [UInt8]) -> XFTPAddress {
        XFTPAddress(fingerprint: fingerprint, hosts: [.ipv4("127.0.0.1")], port: port)
    }

    /// What it has printed.
    var log: [String] { RelayProgram.shared.log(of: number) }

    /// When streams were reset, in seconds of the relay's clock.
    var resets: [Double] {
        log.filter { $0.hasPrefix("reset ") }.compactMap { line in
            line.split(separator: " ").last.flatMap { Double($0) }
        }
    }

    /// Waits some seconds until it has printed such lines.
    func logged(_ prefix: String, times: Int = 1) async throws {
        try await RelayProgram.shared.logged(number, prefix, times: times)
    }

    private struct TemporaryFolderHolder: @unchecked Sendable {
        let folder: TemporaryFolder
    }
}

/// A SOCKS5 proxy that brings everybody to one port.
final class PythonProxy: Sendable {
    private let number: Int
    let proxy: SOCKSProxy

    init(to port: UInt16, refuses: Bool = false) async throws {
        let place = try await RelayProgram.shared.start(["socks": Int(port), "raw": refuses ? "refused" : ""])
        number = place.number
        proxy = SOCKSProxy(host: "127.0.0.1", port: place.port)
    }

    deinit { RelayProgram.shared.stop(number) }

    var log: [String] { RelayProgram.shared.log(of: number) }
}
