import FaultInjection
import Testing
import ValiseCryptography
import ValiseSecrets

@testable import ValiseXFTPWire

/// What holds for all descriptions, and for all bytes that may pretend to be one. `VALISE_SEED` repeats an earlier run.
struct DescriptionPropertyTests {
    @Test func `every description comes back from its text`() throws {
        var random = SeededGenerator(seed: TransferFixture.seed("descriptions"))
        for _ in 0..<300 {
            let description = try Self.description(&random)
            let text = try description.yaml().text
            let read = try FileDescription(yaml: Array(text.utf8))
            // Replicas are read in the order of the relays, which may make another one the first.
            let again = try read.yaml().text
            #expect(try FileDescription(yaml: Array(again.utf8)).yaml().text == again)
            #expect(again.utf8.count == text.utf8.count)
            #expect(read.party == description.party && read.size == description.size)
            #expect(read.key.equals(description.key) && read.nonce == description.nonce)
            #expect(read.redirect == description.redirect)
            for (one, other) in zip(read.chunks, description.chunks) {
                #expect(one.digest == other.digest && one.size == other.size)
                let ids = { (chunk: FileDescription.Chunk) in
                    chunk.replicas.map(\.id.bytes).sorted { $0.lexicographicallyPrecedes($1) }
                }
                #expect(ids(one) == ids(other))
            }
        }
    }

    @Test func `no change to a description, a link or a file's beginning ends the program`() throws {
        var random = SeededGenerator(seed: TransferFixture.seed("changes"))
        let yaml = try TransferFixture.bytes("agent-transfer/redirect.rcv1.xftp")
        let link = try TransferFixture.bytes("agent-transfer/redirect.rcv1.uri")
        let web = try FileLink(TransferFixture.link("files/size-1/rcv1.uri")).webLink().text
        var accepted = 0
        for _ in 0..<3000 {
            let text = Self.changed(yaml, &random)
            if let description = try? FileDescription(yaml: text) {
                accepted += 1
                let again = try description.yamlOfAnyChunkSize()
                #expect(try FileDescription(yaml: again).yamlOfAnyChunkSize().equals(again))
            }
            _ = try? FileLink(String(decoding: Self.changed(link, &random), as: UTF8.self))
            _ = try? FileLink(String(decoding: Self.changed(Array(web.utf8), &random), as: UTF8.self))
            _ = try? FileHeader.decode(Self.changed([3, 0x61, 0x62, 0x63, 0x31, 2, 1, 1], &random)[...])
            let address = String(decoding: Self.changed(Self.address, &random), as: UTF8.self)
            if let address = try? XFTPAddress(address) { #expect(try XFTPAddress(address.text) == address) }
        }
        print("\(accepted) of 3000 changed descriptions are descriptions")
        #expect(accepted > 0)
    }

    @Test func `every beginning of a description is refused or whole`() throws {
        let yaml = try TransferFixture.bytes("agent-transfer/rcv1.xftp")
        for count in 0..<(yaml.count - 2) {
            let read = try? FileDescription(yaml: Array(yaml[..<count]))
            #expect(read == nil, "\(count) of \(yaml.count) bytes")
        }
    }

    // MARK: Making

    private static let address = Array(
        "xftp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@a.example,1.2.3.4,[::1],b.onion:5443".utf8)

    private static func changed(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard !bytes.isEmpty else { break }
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.removeSubrange(place...)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 2: bytes.insert("\n :-#'\"&[{\\%=,@0\t".utf8.randomElement(using: &random)!, at: place)
            case 3: bytes.remove(at: place)
            case 4:
                let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
                bytes.insert(
                    contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
            default: bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return bytes
    }

    private static func description(_ random: inout SeededGenerator) throws -> FileDescription {
        let sizes: [Int64] = [65_536, 262_144, 1_048_576, 4_194_304]
        let servers = try (0..<Int.random(in: 1...4, using: &random)).map { _ in try server(&random) }
        var chunks: [FileDescription.Chunk] = []
        for number in 1...Int.random(in: 1...12, using: &random) {
            let replicas = try (0..<Int.random(in: 1...3, using: &random)).map { _ in
                FileDescription.Replica(
                    server: servers.randomElement(using: &random)!,
                    id: try #require(
                        EntityID(TransferFixture.random(Int.random(in: 1...30, using: &random), &random))),
                    key: try SecretSeed(copying: TransferFixture.random(32, &random)))
            }
            chunks.append(
                .init(
                    number: number, size: sizes.randomElement(using: &random)!,
                    digest: TransferFixture.random(32, &random), replicas: replicas))
        }
        let redirect: FileDescription.Redirect? =
            Bool.random(using: &random)
            ? .init(
                size: Int64.random(in: 1...(.max), using: &random),
                digest: TransferFixture.random(64, &random)) : nil
        return FileDescription(
            party: Bool.random(using: &random) ? .recipient : .sender,
            size: chunks.reduce(0) { $0 + $1.size },
            digest: TransferFixture.random(64, &random),
            key: try SecretSeed(copying: TransferFixture.random(32, &random)),
            nonce: TransferFixture.random(24, &random), chunkSize: sizes.randomElement(using: &random)!,
            chunks: chunks,
            redirect: redirect)
    }

    private static func server(_ random: inout SeededGenerator) throws -> XFTPAddress {
        let hosts = try (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let host = ["a.example", "b", "1.2.3.4", "::1", "2001:db8::5", "x.onion"].randomElement(
                using: &random)!
            return try XFTPAddress.Host(host)
        }
        return XFTPAddress(
            fingerprint: TransferFixture.random(32, &random), hosts: hosts,
            port: Bool.random(using: &random) ? UInt16.random(in: 1...65_535, using: &random) : nil)
    }
}
