import SystemPackage
import Testing
import ValiseFiles
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPWire

/// What tests of contents have in common.
enum ContentBench {
    static let bytes = TransferBench.bytes(700_000)
    static let options = UploadOptions.to { $0.redirect = .always }

    /// Relays that die at the n-th request.
    static func dying(at moment: Int) -> FakeRelays {
        FakeRelays(before: { _, _, number in if number >= moment { throw FakeRelays.Failure.killed } })
    }

    /// Sends a content and dies on the way, with something on the relays.
    static func interrupted(_ bench: TransferBench, _ source: VersionedContent) async throws
        -> FakeRelays
    {
        let relays = dying(at: 4)
        await #expect(throws: FakeRelays.Failure.self) {
            try await bench.transfers(relays) { $0.parallelChunks = 1 }.upload(source.content(), options)
        }
        #expect(!relays.stored.isEmpty)
        return relays
    }

    static func arrives(
        _ sent: UploadedFile, _ relays: FakeRelays, _ bench: TransferBench, _ content: [UInt8]
    ) async throws {
        let file = try await bench.transfers(relays).downloadStandaloneFile(
            sent.references(), to: .folder(bench.inbox), .all())
        #expect(try bench.holds(file.path, content))
        #expect(file.path.lastComponent?.string.hasPrefix("account") == true)
        try FileSystem().remove(file.path)
    }

    static func reachable(_ sent: UploadedFile) -> Int {
        sent.senderDescriptions.reduce(0) { $0 + $1.chunks.count }
    }

    /// The texts of all links.
    static func links(_ sent: UploadedFile) throws -> [[String]] {
        try sent.links.map {
            try $0.map { try $0.appLink().withBytes { String(decoding: $0, as: UTF8.self) } }
        }
    }
}
