import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// `valise-relay` as its operator runs it.
struct RelayCommandTests {
    /// A relay that runs beside the test.
    private final class Running {
        let process = Process()
        let output = Pipe.uninherited()
        let errors = Pipe.uninherited()

        init(_ folder: FilePath, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
            process.executableURL = URL(filePath: Program.relay)
            process.arguments = ["start", "--folder", folder.string, "--json"] + arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.standardOutput = output
            process.standardError = errors
            process.standardInput = FileHandle.nullDevice
            try process.start()
        }

        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

        /// The line that it prints when it listens.
        func line() -> [String: Any] {
            let text = output.fileHandleForReading.availableData
            return (try? JSONSerialization.jsonObject(with: text)) as? [String: Any] ?? [:]
        }

        func end() -> (status: Int32, errors: String) {
            let text = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: text, as: UTF8.self))
        }
    }

    private static func relay(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(Program.relay, arguments)
    }

    private static func object(_ outcome: Program.Outcome) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? [String: Any])
    }

    private static func initialize(_ folder: FilePath, _ more: [String] = []) throws -> Program.Outcome {
        let arguments = [
            "init", "--folder", folder.string, "--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0",
            "--quota", "10mb", "--sign-algorithm", "ed25519",
        ]
        return try Program.run(Program.relay, arguments + more)
    }

    @Test(arguments: [("start", "relay"), ("renew", "a relay")])
    func `a folder without a relay gets the command that sets one up there`(command: String, name: String)
        throws
    {
        let folder = try TemporaryFolder("valise-relay", inMemory: true).appending(name)
        let refused = try Self.relay(command, "--folder", folder.string)
        let word = name.contains(" ") ? "'\(folder)'" : "\(folder)"
        let setUp = "valise-relay init --folder \(word) --host HOST"
        #expect(refused.status == 10, "\(refused.errors)")
        #expect(
            refused.errors.hasSuffix("no relay in this folder\nhint: to set it up, run: \(setUp)\n"),
            "\(refused.errors)")
    }

    @Test func `a relay is set up, runs, tells how it is, and ends`() throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let folder = parent.appending("relay")
        let made = try Self.initialize(folder, ["--json"])
        #expect(made.errors.contains("valise-relay start --folder \(folder)"), "\(made.errors)")
        #expect(made.errors.contains("move the identity key \(folder)/ca.key"), "\(made.errors)")
        #expect(made.status == 0 && made.errors.contains("ca.key"), "\(made.errors)")
        let fingerprint = try #require(try Self.object(made)["fingerprint"] as? String)
        #expect(try Self.relay("status", "--folder", folder.string).status == 10)

        let running = try Running(folder)
        let line = running.line()
        let address = try #require(line["address"] as? String)
        #expect(line["type"] as? String == "relayStarted")
        #expect(address.hasPrefix("xftp://\(fingerprint)@127.0.0.1:"))
        let status = try Self.object(try Self.relay("status", "--folder", folder.string, "--json"))
        #expect(status["type"] as? String == "relayStatus" && status["address"] as? String == address)
        let text = try Self.relay("status", "--folder", folder.string)
        #expect(text.status == 0 && text.output.contains("0 chunks, 0 bytes of 10.0 MB"), "\(text.output)")
        let second = try Self.relay("start", "--folder", folder.string)
        #expect(second.status == 11, "\(second.errors)")
        #expect(try Self.relay("delete", "AAAA", "--folder", folder.string).status == 10)
        // One name of 64 begins so.
        let dashed = "-QIDBAUGBwgJCgsMDQ4PEA=="
        #expect(try Self.relay("delete", dashed, "--folder", folder.string).status == 10)
        let block = ["block", "--reason", "spam", dashed, "--folder", folder.string]
        #expect(try Program.run(Program.relay, block).status == 10)
        #expect(try Self.relay("stop", "--folder", folder.string).status == 0)
        let end = running.end()
        #expect(end.status == 0 && end.errors.contains("stopped"), "\(end.errors)")
    }

    @Test func `its operator is asked before a chunk is removed`() throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let folder = parent.appending("relay")
        #expect(try Self.initialize(folder).status == 0)
        let running = try Running(folder)
        let address = try #require(running.line()["address"] as? String)
        let file = parent.appending("text")
        try FileSystem().replace(file, with: Array("a text".utf8))
        let sent = try Program.valise(
            "file", "send", file.string, "--server", address, "--descriptions", parent.path.string,
            environment: ["HOME": parent.path.string, "XDG_STATE_HOME": parent.appending("state").string])
        #expect(sent.status == 0, "\(sent.errors)")
        let description = try FileSystem().contents(
            of: file.appendingSuffix(".xftp").appending("rcv1.xftp"), limit: 1 << 16)
        let text = String(decoding: description, as: UTF8.self)
        let recipient = String(try #require(text.firstMatch(of: #/- 1:([^:]+):/#)).output.1)
        let delete = ["delete", "--folder", folder.string, recipient]
        let block = ["block", "--reason", "spam", "--folder", folder.string, recipient]
        for command in [delete, block] {
            let planned = try Program.run(Program.relay, [command[0], "--dry-run"] + command[1...])
            #expect(planned.status == 0 && planned.output.hasPrefix("would \(command[0]) the chunk"))
            let refused = try Program.run(Program.relay, [command[0], "--no-input"] + command[1...])
            #expect(refused.status == 64 && refused.errors.contains("hint: to confirm, add --yes"))
            let declined = try Program.atTerminal(
                command, answers: ["n"], environment: [:], of: Program.relay)
            #expect(declined.status == 1 && declined.output.contains("This cannot be undone. (y/N)"))
        }
        let agreed = try Program.atTerminal(block, answers: ["y"], environment: [:], of: Program.relay)
        #expect(agreed.status == 0 && agreed.output.contains("blocked the chunk"), "\(agreed.output)")
        let done = try Program.run(Program.relay, delete)
        #expect(done.status == 0 && done.output == "deleted the chunk\n", "\(done.errors)")
        let gone = try Program.run(Program.relay, [delete[0], "--dry-run"] + delete[1...])
        #expect(gone.status == 10 && gone.errors.contains("no chunk with this ID"), "\(gone.errors)")
        #expect(try Self.relay("stop", "--folder", folder.string).status == 0)
        #expect(running.end().status == 0)
    }

    @Test func `it uses new certificates when it is told to, also by a signal`() throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let folder = parent.appending("relay")
        #expect(try Self.initialize(folder).status == 0)
        #expect(try Self.relay("reload", "--folder", folder.string).status == 10)
        let running = try Running(folder)
        #expect(running.line()["port"] as? Int ?? 0 > 0)
        #expect(try Self.relay("renew", "--folder", folder.string).status == 0)
        let reloaded = try Self.relay("reload", "--folder", folder.string)
        #expect(reloaded.status == 0 && reloaded.output.contains("reloaded"), "\(reloaded.errors)")
        try Data("nothing".utf8).write(to: URL(filePath: folder.appending("server.crt").string))
        let refused = try Self.relay("reload", "--folder", folder.string)
        #expect(refused.status == 13 && refused.errors.contains("server.crt"), "\(refused.errors)")
        kill(running.process.processIdentifier, SIGHUP)
        // Signals are looked for several times a second.
        Thread.sleep(forTimeInterval: 2)
        #expect(running.process.isRunning)
        kill(running.process.processIdentifier, SIGTERM)
        let end = running.end()
        #expect(end.status == 0 && end.errors.contains("cannot reload the certificates"), "\(end.errors)")
    }

    @Test func `SIGTERM ends it, its log is JSON, and whoever started it is told`() throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let folder = parent.appending("relay")
        #expect(try Self.initialize(folder).status == 0)
        let socket = try DatagramSocket(parent.appending("notify").string)
        let running = try Running(
            folder, ["--log-format", "json"],
            environment: ["NOTIFY_SOCKET": parent.appending("notify").string])
        #expect(running.line()["port"] as? Int ?? 0 > 0)
        #expect(socket.receive() == "READY=1")
        kill(running.process.processIdentifier, SIGTERM)
        let end = running.end()
        #expect(end.status == 0)
        #expect(socket.receive() == "STOPPING=1\nEXTEND_TIMEOUT_USEC=60000000")
        let lines = end.errors.split(separator: "\n")
        for line in lines {
            let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(entry?["message"] is String && entry?["time"] is String && entry?["level"] is String)
        }
        #expect(lines.contains { $0.contains("\"listening\"") })
    }

    @Test func `a relay for this machine alone listens nowhere else, unless told`() throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        for (index, (more, expected)) in [
            (["--host", "127.0.0.1"], "127.0.0.1"), (["--host", "localhost"], "127.0.0.1"),
            (["--host", "[::1]"], "::1"), (["--host", "relay.example.org"], "0.0.0.0"),
            (["--host", "localhost", "--listen", "0.0.0.0"], "0.0.0.0"),
        ].enumerated() {
            let folder = parent.appending("relay\(index)")
            let made = try Program.run(
                Program.relay, ["init", "--folder", folder.string, "--sign-algorithm", "ed25519"] + more)
            #expect(made.status == 0, "\(made.errors)")
            let settings = try FileSystem().contents(of: folder.appending("file-server.ini"), limit: 1 << 16)
            #expect(String(decoding: settings, as: UTF8.self).contains("\nlisten = \(expected)\n"), "\(more)")
        }
    }

    @Test func `what cannot be set up or started says why`() throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let folder = parent.appending("relay")
        #expect(try Self.relay("start", "--folder", folder.string).status == 10)
        #expect(try Self.relay("init", "--host", "a.example").status == 64)
        #expect(try Self.initialize(folder, ["--quota", "much"]).status == 64)
        let password = parent.appending("password")
        try FileSystem().replace(password, with: Array("not a password\n".utf8))
        #expect(try Self.initialize(folder, ["--password-file", password.string]).status == 64)
        try FileSystem().replace(password, with: Array("s3cret\nrest".utf8))
        #expect(
            try Self.initialize(folder, ["--password-file", password.string, "--no-new-files"]).status == 0)
        let settings = folder.appending("file-server.ini")
        let text = String(decoding: try FileSystem().contents(of: settings, limit: 1 << 16), as: UTF8.self)
        #expect(text.contains("\ncreate_password = s3cret\n") && text.contains("\nnew_files = off\n"))
        #expect(try Self.initialize(folder).status == 1, "a relay is there")
        try FileSystem().replace(settings, with: Array((text + "[STORE_LOG]\nexpire = 1\n").utf8))
        let refused = try Self.relay("start", "--folder", folder.string)
        #expect(refused.status == 14 && refused.errors.contains("[STORE_LOG] expire"), "\(refused.errors)")
        try FileSystem().replace(settings, with: Array(text.utf8))
        #expect(try Self.relay("renew", "--folder", folder.string).status == 0)
    }

    @Test(.enabled(if: Program.tool("prlimit") != nil))
    func `without descriptors for more it waits, and serves whoever comes later`() throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let folder = parent.appending("relay")
        #expect(try Self.initialize(folder).status == 0)
        let running = try Running(folder)
        let port = try #require(running.line()["port"] as? Int)
        let process = "/proc/\(running.process.processIdentifier)"
        func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: process + "/fd").count
        }
        /// Processor time, in hundredths of a second.
        func time() throws -> Int {
            let fields = try String(contentsOfFile: process + "/stat", encoding: .utf8).split(separator: " ")
            return (Int(fields[13]) ?? 0) + (Int(fields[14]) ?? 0)
        }
        let limit = try descriptors() + 10
        let lowered = try Program.run(
            try #require(Program.tool("prlimit")),
            ["--pid", "\(running.process.processIdentifier)", "--nofile=\(limit):\(limit)"])
        #expect(lowered.status == 0, "\(lowered.errors)")
        let crowd = try (0..<40).map { _ in try StreamSocket(port) }
        for _ in 0..<100 where try descriptors() < limit { usleep(50_000) }
        // Where the number of one is taken that is higher than the limit, there is room for fewer.
        let full = try descriptors()
        #expect(full > limit - 10 && full < limit + 10)
        // Its owner waits with the others.
        let owner = Process()
        owner.executableURL = URL(filePath: Program.relay)
        owner.arguments = ["status", "--folder", folder.string, "--json"]
        owner.standardOutput = FileHandle.nullDevice
        try owner.start()
        let before = try time()
        usleep(2_000_000)
        #expect(try time() - before < 100, "it does not try without a pause")
        #expect(try descriptors() == full)
        for one in crowd { one.end() }
        owner.waitUntilExit()
        #expect(owner.terminationStatus == 0)
        for _ in 0..<3 { #expect(try StreamSocket(port).isAnswered()) }
        #expect(try Self.relay("status", "--folder", folder.string).status == 0)
        #expect(try Self.relay("stop", "--folder", folder.string).status == 0)
        #expect(running.end().status == 0)
    }

    /// A client that has yet to say something.
    private final class StreamSocket {
        private let descriptor: Int32

        init(_ port: Int) throws {
            #if canImport(Glibc)
                descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #else
                descriptor = socket(AF_INET, SOCK_STREAM, 0)
            #endif
            var time = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard result == 0 else { throw Errno(rawValue: errno) }
        }

        deinit { close(descriptor) }

        func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

        /// Whether what is no TLS gets an answer, or an end.
        func isAnswered() -> Bool {
            var bytes = [UInt8](repeating: 0x20, count: 100)
            return send(descriptor, bytes, bytes.count, 0) == bytes.count
                && (recv(descriptor, &bytes, bytes.count, 0) >= 0 || errno == ECONNRESET)
        }
    }

    @Test func `keys that are not the relay's are named, and a quota without its unit is noticed`() throws {
        let parent = try TemporaryFolder("valise-relay", inMemory: true)
        let folder = parent.appending("relay")
        #expect(try Self.initialize(folder).status == 0)
        #expect(try Self.initialize(parent.appending("other")).status == 0)
        let key = parent.appending("other").appending("ca.key")
        let foreign = try Self.relay("renew", "--folder", folder.string, "--ca-key", key.string)
        #expect(
            foreign.status == 64
                && foreign.errors.contains("\(key): not the identity key (ca.key) of this relay"),
            "\(foreign.errors)")
        let junk = parent.appending("junk")
        try FileSystem().replace(junk, with: Array("junk\n".utf8))
        let none = try Self.relay("renew", "--folder", folder.string, "--ca-key", junk.string)
        #expect(none.errors.contains("\(junk): no PEM private key found\n"), "\(none.errors)")
        let own = folder.appending("server.key")
        try FileSystem().replace(own, with: FileSystem().contents(of: key, limit: 1 << 16))
        let start = try Self.relay("start", "--folder", folder.string)
        #expect(start.status == 13, "\(start.errors)")
        #expect(
            start.errors.contains("\(folder.appending("server.crt")): the certificate"), "\(start.errors)")
        let small = try Self.relay(
            "init", "--folder", parent.appending("small").string, "--host", "a.example", "--quota", "10")
        #expect(small.status == 64 && small.errors.contains("unit"), "\(small.errors)")
        #expect(try !FileSystem().exists(parent.appending("small")))
    }

    /// Where a manager of services would listen.
    private final class DatagramSocket {
        private let descriptor: Int32

        init(_ path: String) throws {
            #if canImport(Glibc)
                descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            #else
                descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
            #endif
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(100))) }
            var time = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard result == 0 else { throw Errno(rawValue: errno) }
        }

        deinit { close(descriptor) }

        func receive() -> String? {
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
        }
    }
}
