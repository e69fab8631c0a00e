import FaultInjection
import Foundation
import Synchronization
import SystemPackage
import TestPeers
package import ValiseSecrets
package import ValiseStorage

/// A server in a process of its own (Scripts/servers), gone with the object.
package final class StoragePeer: Sendable {
    /// What serves, as `serve.py` calls it.
    package enum Kind: String, CaseIterable, Sendable {
        case rclone
        case restServer = "rest-server"
        case moto
        case swift
    }

    /// Which of them can run here.
    private static let available: Set<Kind> = Set(
        Kind.allCases.filter { kind in
            let script = Repository.url("Scripts/servers/serve.py").path
            let outcome = try? OtherProgram("python3")?.run([script, kind.rawValue, "--available"])
            return outcome?.status == 0
        })

    package static func isThere(_ kind: Kind) -> Bool { available.contains(kind) }

    /// Whether scripted servers can run here.
    package static var canMisbehave: Bool { OtherProgram.isThere("python3") }

    package struct Failed: Error {}

    private struct Running {
        let process: Process
        let input: Pipe
    }

    private let folder: TemporaryFolder
    private let running: Mutex<Running>
    private let fields: [String: String]

    /// - Parameter options: such as `--append-only`.
    package convenience init(_ kind: Kind, _ options: [String] = []) throws {
        // Swift needs extended attributes, which memory may not have.
        try self.init("serve.py", [kind.rawValue], options, inMemory: kind != .swift)
    }

    /// One that misbehaves as its paths say.
    package static func misbehaving() throws -> StoragePeer {
        try StoragePeer("misbehaving.py", nil, [], inMemory: true)
    }

    private init(_ script: String, _ kind: [String]?, _ options: [String], inMemory: Bool) throws {
        let folder = try TemporaryFolder("valise-peer", inMemory: inMemory)
        self.folder = folder
        guard let python = OtherProgram("python3") else { throw Failed() }
        let process = Process()
        let (input, output) = (Pipe.uninherited(), Pipe.uninherited())
        process.executableURL = URL(filePath: python.path)
        let place = kind.map { $0 + [folder.appending("peer").string] } ?? []
        process.arguments = [Repository.url("Scripts/servers/\(script)").path] + place + options
        // It ends with its input, so it ends with this process whatever happens.
        process.standardInput = input
        process.standardOutput = output
        try process.start()
        let watch = process.endingIfStuck()
        defer { watch.cancel() }
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            line += more
        }
        let object = (try? JSONSerialization.jsonObject(with: line)) as? [String: Any]
        fields = object?.compactMapValues { $0 as? String } ?? [:]
        running = Mutex(Running(process: process, input: input))
        guard fields["address"] != nil else { throw Failed() }
    }

    deinit { stop() }

    /// Ends it. Call it last in a test: until then it lives.
    package func stop() {
        running.withLock { running in
            try? running.input.fileHandleForWriting.close()
            running.process.waitUntilExit()
        }
    }

    package var text: String { fields["address"] ?? "" }

    /// An address below that of the server.
    package func address(_ path: String = "") throws -> HTTPAddress { try HTTPAddress("\(text)/\(path)") }

    /// Where its certificate is.
    package var authorities: String { fields["authorities"] ?? "" }

    /// Its bucket.
    package func bucket(
        _ prefix: String = "", secret: String? = nil, at path: String = ""
    ) throws -> S3Store.Settings {
        S3Store.Settings(
            endpoint: try address(path), bucket: fields["bucket"] ?? "bucket", prefix: prefix,
            region: fields["region"] ?? "us-east-1", accessKey: fields["accessKey"] ?? "key",
            secret: try Self.secret(secret ?? fields["secretKey"] ?? "secret"))
    }

    package static func secret(_ text: String) throws -> SharedSecret {
        SharedSecret(try SecretBytes(copying: Array(text.utf8)))
    }

    /// Nobody waits long for those that do not answer.
    package static var impatient: HTTPTransfer.Settings {
        var settings = HTTPTransfer.Settings()
        (settings.connectSeconds, settings.stallSeconds) = (5, 2)
        return settings
    }
}
