import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseCryptography
import ValiseFiles
import ValiseMoves
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPWire

/// What others sent.
@Suite struct OfficialMoveTests {
    private static let fixtures = FilePath(Repository.fixture("transfers/agent-transfer").path)

    private func text(_ name: String) throws -> String {
        let bytes = try FileSystem().contents(of: Self.fixtures.appending(name), limit: 1 << 20)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func load(_ description: FileDescription, _ folder: String, _ relays: MemoryRelays) throws {
        let files = try FileSystem().list(Self.fixtures.appending(folder)).compactMap(\.name).map {
            try FileSystem().contents(of: Self.fixtures.appending(folder).appending($0), limit: 1 << 23)
        }
        for chunk in description.chunks {
            let content = try #require(files.first { SHA256.hash($0) == chunk.digest })
            for replica in chunk.replicas { relays.put(content, replica.id, replica.key) }
        }
    }

    @Test(
        "What the official agent sent is received through its redirect; it is no account, which is said, and its bytes are kept"
    )
    func agentTransfer() async throws {
        let bench = try MoveBench(sample: false)
        let link = try text("redirect.rcv1.uri")
        let outer = try FileReference(link: link)
        try load(outer.description, "redirect-chunks", bench.relays)
        // The description behind the redirect is of a recipient of its own.
        var plain = outer.description
        plain.redirect = nil
        let yaml = bench.path.appending("inner.yaml")
        let transfers = FileTransfers(relays: bench.relays, states: bench.path.appending("states"))
        _ = try await transfers.downloadStandaloneFile(
            [FileReference(plain)], to: .file(yaml), DownloadOptions(approval: .all))
        try load(FileReference(file: yaml).description, "chunks", bench.relays)

        let error = await #expect(throws: DeviceMigrationError.self) {
            try await bench.receive(.links([link]))
        }
        #expect(error?.kind == .notAnArchive)
        let archive = FilePath(try #require(error?.subject))
        var x = UInt32(300_000)
        let plaintext = (0..<300_000).map { _ in
            x = x &* 1_664_525 &+ 1_013_904_223
            return UInt8(x >> 24)
        }
        let areEqual = try FileSystem().contents(of: archive, limit: 1 << 20) == plaintext
        #expect(areEqual)
        #expect(try bench.move(.new).moves().map(\.state) == ["archiveImportFailed"])
        #expect(try !FileSystem().exists(bench.new.directory))
        _ = try await bench.move(.new).cancel(bench.new)
        #expect(try !FileSystem().exists(archive))
    }

    @Test(
        "A packed archive of the official flow is received, with a redirect or without, whatever the data of its link are",
        arguments: [
            (RedirectChoice.always, nil), (.never, #"{"other":[1]}"#),
            (.always, #"{"networkConfig":{"hostMode":"onionViaSocks","requiredHostMode":false}}"#),
            (.never, #"{"networkConfig":{"hostMode":"later","requiredHostMode":false}}"#),
        ] as [(RedirectChoice, String?)])
    func officialFlow(redirect: RedirectChoice, data: String?) async throws {
        let bench = try MoveBench()
        let archive = bench.path.appending("simplex-chat.2026-01-31T120000Z.zip")
        _ = try ArchiveExport().export(
            bench.old, to: archive, passphrase: MoveBench.secret().bytes.duplicate())
        let transfers = FileTransfers(relays: bench.relays, states: bench.path.appending("states"))
        var options = UploadOptions(relays: [MemoryRelays.access])
        (options.redirect, options.data) = (redirect, data)
        let file = try await transfers.uploadStandaloneFile(archive, options)
        let links = try file.links[0].map { link in
            try link.appLink().withBytes { String(decoding: $0, as: UTF8.self) }
        }
        let received = try await bench.receive(.links(links))
        let own = try AccountProof.make(bench.old, passphrase: MoveBench.secret().bytes)
        #expect(received.words == own.words)
        #expect(received.network == (data?.contains("onionViaSocks") == true ? .taken : .none))
        let areEqual = try bench.areEqual(agentOnly: true)
        #expect(areEqual)
    }

    @Test("An archive without one of the databases is no account")
    func partial() async throws {
        let bench = try MoveBench()
        let archive = bench.path.appending("partial.zip")
        try FileSystem().replace(archive, with: Array("PK\u{5}\u{6}".utf8) + Array(repeating: 0, count: 18))
        #expect(try await kind { try await bench.receive(.archive(archive)) } == .notAnArchive)
        // It is the user's, and stays; nothing was begun.
        #expect(try bench.move(.new).moves().isEmpty)
        #expect(try FileSystem().exists(archive))
    }
}
