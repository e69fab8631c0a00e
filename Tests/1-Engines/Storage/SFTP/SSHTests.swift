import FaultInjection
import Foundation
import StoreContract
import Synchronization
import SystemPackage
import TestPeers
import Testing
import ValiseFailures
import ValiseFiles

@testable import ValiseStorage

/// The system's ssh, with OpenSSH's server on the loopback (Scripts/servers/sshd.sh).
@Suite(.enabled(if: SFTPFixture.hasSSH))
struct SSHTests {
    private let fixture: SFTPFixture
    private let server: LocalSSHServer?

    init() throws {
        fixture = try SFTPFixture()
        server = try LocalSSHServer(in: fixture.folder.appending("ssh"))
    }

    private func location(_ name: String) throws -> SFTPLocation {
        try SFTPLocation("sftp://valise-test/\(fixture.folder.appending(name).string)")
    }

    @Test func `a repository over ssh keeps the contract`() throws {
        guard let server else { return }
        let contract = BlobStoreContract(listedFiles: 200)
        try contract.check {
            let location = try location("r\(UInt64.random(in: 0 ... .max))")
            return SFTPStore(location, command: SFTPCommand(ssh: location, options: server.options))
        }
    }

    @Test func `a refused login or host key is no unreachable server, and is not tried again`() throws {
        guard let server else { return }
        let location = try location("repository")
        let refusals = [
            ("User=valise-nobody", "refused the login"),
            ("PubkeyAuthentication=no", "refused the login"),
            ("UserKnownHostsFile=/dev/null", "host key"),
        ]
        for (option, words) in refusals {
            let command = SFTPCommand(ssh: location, options: ["-o", option] + server.options)
            let store = SFTPStore(location, command: command)
            let retries = Mutex(0)
            let retrying = RetryingStore(store, observer: { _ in retries.withLock { $0 += 1 } })
            let found = storageFailure { _ = try retrying.size(of: .config) }
            #expect(found?.kind == .credentials && found?.code == .denied, "\(option)")
            #expect(found?.message.contains(words) == true && found?.subject == location.text, "\(option)")
            #expect(found?.isTransient == false && retries.withLock { $0 } == 0)
        }
    }

    @Test func `a server that does not listen is unreachable`() throws {
        guard let server else { return }
        let location = try location("repository")
        let command = SFTPCommand(ssh: location, options: ["-o", "Port=1"] + server.options)
        let found = storageFailure { _ = try SFTPStore(location, command: command).size(of: .config) }
        #expect(found?.kind == .unreachable && found?.isTransient == true)
        #expect(found?.message.contains("ssh ended with exit status 255") == true)
    }

    @Test func `a server that ends all connections is connected to again`() throws {
        guard let server else { return }
        let location = try location("repository")
        let store = SFTPStore(location, command: SFTPCommand(ssh: location, options: server.options))
        try store.create()
        for round: UInt8 in 0..<3 {
            try store.put(stored(.index, [round]), [round])
            try server.endConnections()
        }
        #expect(try store.list(.index).count == 3)
    }
}

/// Gone with the object.
private final class LocalSSHServer {
    private let process = Process()
    private let input = Pipe.uninherited()
    private let folder: FilePath
    /// What ssh needs to log in.
    let options: [String]

    /// Nil where it cannot run here.
    init?(in folder: FilePath) throws {
        self.folder = folder
        try FileSystem().makeDirectory(folder)
        let output = Pipe.uninherited()
        process.executableURL = Repository.url("Scripts/servers/sshd.sh")
        process.arguments = [folder.string]
        process.standardInput = input
        process.standardOutput = output
        try process.start()
        var text = ""
        while text.split(separator: "\n").count < 2 {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        let lines = text.split(separator: "\n")
        guard lines.count == 2 else {
            try input.fileHandleForWriting.close()
            process.waitUntilExit()
            return nil
        }
        options = ["-F", String(lines[1])]
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Ends the processes of its connections, by the lines of its log.
    func endConnections() throws {
        let server = try FileSystem().contents(of: folder.appending("pid"), limit: 100)
        guard
            let number = pid_t(
                String(decoding: server, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        else { return }
        for child in Self.children(of: number) { kill(child, SIGKILL) }
    }

    private static func children(of process: pid_t) -> [pid_t] {
        let path = "/proc/\(process)/task/\(process)/children"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { pid_t($0) }
    }
}
