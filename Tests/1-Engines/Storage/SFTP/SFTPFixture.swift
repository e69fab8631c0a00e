import FaultInjection
import Foundation
import StoreContract
import SystemPackage
import TestPeers
import ValiseFailures
import ValiseFiles
import ValiseStorage

/// A folder with an SFTP server for it, over pipes.
struct SFTPFixture {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    /// OpenSSH's.
    static let server: String? = {
        let places = ["/usr/lib/openssh", "/usr/libexec", "/usr/lib/ssh", "/usr/libexec/openssh"]
        guard OtherProgram.areAllowed else { return nil }
        return places.map { "\($0)/sftp-server" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    static let hasServer = server != nil
    static let hasSSH = hasServer && OtherProgram.isThere("ssh", "ssh-keygen", "python3")
    static let hasPython = OtherProgram.isThere("python3")

    /// Where the repository is.
    var path: FilePath { folder.appending("repository") }

    /// The same repository, without a server.
    var local: FolderStore { FolderStore(path) }

    func location(_ name: String = "repository") throws -> SFTPLocation {
        try SFTPLocation("sftp:server:\(folder.appending(name).string)")
    }

    var openSSH: SFTPCommand { SFTPCommand(Self.server ?? "", []) }

    /// The server of Scripts/servers/sftp.py.
    func misbehaving(_ faults: [String]) -> SFTPCommand {
        let script = Repository.url("Scripts/servers/sftp.py").path
        return SFTPCommand("python3", [script, "--log", folder.appending("log").string] + faults)
    }

    /// Faults of the first process only.
    func once(_ name: String = "once") -> String { "once:\(folder.appending(name).string)" }

    func store(
        _ command: SFTPCommand, patience: Duration = .seconds(300), mostNames: Int = 10_000,
        checkpoint: @escaping @Sendable () throws -> Void = {}
    ) throws -> SFTPStore {
        SFTPStore(
            try location(), command: command, patience: patience, mostNames: mostNames, checkpoint: checkpoint
        )
    }

    /// The numbers of all processes of ``misbehaving(_:)`` that were started.
    func processes() throws -> [pid_t] {
        guard try FileSystem().exists(folder.appending("log")) else { return [] }
        let text = try FileSystem().contents(of: folder.appending("log"), limit: 1 << 20)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { pid_t($0) }
    }

    /// Whether nothing is left of them, not even what waits to be asked for.
    func areGone() throws -> Bool { try processes().allSatisfy { kill($0, 0) != 0 } }
}
