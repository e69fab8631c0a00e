import Testing
import ValiseFiles
import ValiseMediaRules
import ValiseRelay
import ValiseTransfers
import ValiseXFTPWire

/// Files whose encrypted size is near that of a chunk, where one more byte is one more chunk or another kind of it,
/// through a relay and back.
@Suite(.serialized) struct BorderSizeTests {
    /// What the name, its length, the size and the tag come to, at most.
    private static let overhead = 36
    private static let reach = 64

    /// - Parameter border: the chunk's size in bytes, and the step between the sizes that are sent; every one where the long
    ///   form is asked for.
    @Test(
        "Files around the size of a chunk arrive as they were",
        arguments: [(65_536, 2), (262_144, 8), (1_048_576, 32), (4_194_304, 64)], RelayKind.all)
    func borders(border: (Int, Int), kind: RelayKind) async throws {
        let (border, step) = border
        let middle = border - Self.overhead
        let sizes = stride(from: middle - Self.reach, through: middle + Self.reach, by: Soak.isOn ? 1 : step)
        let layouts = try Set(
            sizes.map { try chunks(of: $0) } + changes(near: middle).map { try chunks(of: $0) })
        #expect(layouts.count > 1, "no border among these sizes")
        try await kind.with { network in
            let bench = try TransferBench()
            let transfers = FileTransfers(
                relays: network.relays, states: bench.states, settings: TransferBench.settings())
            let content = TransferBench.bytes(middle + Self.reach)
            for size in Set(sizes).union(try changes(near: middle)).sorted() {
                let source = try bench.file(Array(content.prefix(size)))
                let sent = try await transfers.uploadStandaloneFile(
                    source, .to(network.accesses) { $0.redirect = .never })
                #expect(try sent.parts[0].sender.chunks.map(\.size) == chunks(of: size))
                let file = try await transfers.downloadStandaloneFile(
                    sent.references(), to: .folder(bench.inbox), .all())
                #expect(try bench.holds(file.path, Array(content.prefix(size))), "\(size) bytes")
                try FileSystem().remove(file.path)
                for description in sent.senderDescriptions {
                    _ = try await transfers.deleteStandaloneFile(description)
                }
                try await transfers.forgetUpload(sent.id)
            }
            #expect(try network.contents == 0)
        }
    }

    private func chunks(of size: Int) throws -> [Int64] {
        try EncryptedFileLayout(fileSize: Int64(size), name: "source.bin").chunks.map(\.size.bytes)
    }

    /// The sizes on both sides of each change of the chunks.
    private func changes(near middle: Int) throws -> [Int] {
        try (middle - Self.reach..<middle + Self.reach).filter { try chunks(of: $0) != chunks(of: $0 + 1) }
            .flatMap { [$0 - 1, $0, $0 + 1, $0 + 2] }
    }
}
