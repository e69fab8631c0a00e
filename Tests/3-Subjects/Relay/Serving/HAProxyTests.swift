import FaultInjection
import Foundation
import Logging
import NIOCore
import NIOPosix
import SystemPackage
import TestPeers
import Testing
import ValiseXFTPClient
import ValiseXFTPWire

@testable import ValiseRelay

/// A relay behind the proxy that the PROXY protocol is from, where that is installed.
@Suite(.timeLimit(.minutes(2)))
struct HAProxyTests {
    private static let program = [
        "/usr/sbin/haproxy", "/usr/local/sbin/haproxy", "/opt/homebrew/bin/haproxy",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// A proxy that runs until nobody has it any more.
    private final class Running {
        let port: Int
        private let process = Process()
        private let folder: TemporaryFolder

        /// - Parameter options: of the relay's line.
        init(_ options: String, relay: UInt16) async throws {
            let socket = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(host: "127.0.0.1", port: 0).get()
            port = socket.localAddress?.port ?? 0
            try await socket.close()
            folder = try TemporaryFolder("valise-haproxy", inMemory: true)
            let settings = """
                global
                    maxconn 100
                defaults
                    mode tcp
                    timeout connect 5s
                    timeout client 30s
                    timeout server 30s
                listen relay
                    bind 127.0.0.1:\(port)
                    server one 127.0.0.1:\(relay) \(options)

                """
            let file = folder.appending("haproxy.cfg").string
            try settings.write(toFile: file, atomically: true, encoding: .utf8)
            process.executableURL = URL(filePath: program ?? "")
            process.arguments = ["-db", "-f", file]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            try process.start()
        }

        deinit {
            process.terminate()
            process.waitUntilExit()
        }
    }

    @Test(.enabled(if: program != nil), arguments: ["send-proxy", "send-proxy-v2"])
    func `its clients are known by their own addresses, and its checks are let in`(version: String)
        async throws
    {
        let lines = CapturedLog.Lines()
        var options = RunningRelay.Options()
        options.logger = Logger(label: "test") { _ in CapturedLog(lines, level: .debug) }
        options.configure = {
            $0.proxies = .loopback
            $0.logsAddresses = true
        }
        try await RunningRelay.with(options) { relay in
            let proxy = try await Running(
                "\(version) check check-send-proxy inter 100ms", relay: relay.server.port)
            let address = XFTPAddress(
                fingerprint: relay.server.address.fingerprint, hosts: [.ipv4("127.0.0.1")],
                port: UInt16(proxy.port))
            // It takes a moment until it listens. Its checks come meanwhile.
            var isBack = false
            for _ in 0..<100 where !isBack {
                let problem = await failure {
                    isBack = try await withConnection(to: address) { connection in
                        let chunk = try await TestChunk.stored(on: connection)
                        return try await chunk.comesBack(connection)
                    }
                }
                if problem != nil { try await Task.sleep(for: .milliseconds(100)) }
            }
            #expect(isBack)
            // Some ten checks, of which most have gone before the relay looks.
            try await Task.sleep(for: .seconds(1))
            #expect(relay.server.counters.turnedAway == 0, "\(lines.all.filter { $0.contains("refused") })")
            let hasAddress = lines.all.contains { $0.contains("\"from\"") && $0.contains("127.0.0.1") }
            #expect(hasAddress, "\(lines.all.prefix(5))")
            withExtendedLifetime(proxy) {}
        }
    }
}
