import FaultInjection
import Foundation
import TestPeers
import Testing
import ValiseFailures
import ValiseMediaRules

struct TransferChunksTests {
    private static let seed =
        ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap(UInt64.init)
        ?? UInt64.random(in: 0...UInt64.max)

    private struct Vectors: Decodable {
        struct Vector: Decodable {
            let payload: Int64?
            let sizes: Sizes?
            let total: Int64?
            let single: Int64?
            let size: String?

            private enum CodingKeys: String, CodingKey {
                case payload, sizes, total, size
                case single = "single_chunk_for"
            }
        }

        /// A list of sizes; a sentence for the one that would be too long.
        struct Sizes: Decodable {
            let list: [String]?

            init(from decoder: any Decoder) throws {
                list = try? decoder.singleValueContainer().decode([String].self)
            }
        }

        let vectors: [Vector]
    }

    private static let names: [String: ChunkSize] = [
        "64kb": .kib64, "256kb": .kib256, "1mb": .mib1, "4mb": .mib4,
    ]

    private func vectors() throws -> [Vectors.Vector] {
        let file = Repository.beside("Fixtures/chunk-sizes.json")
        return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file)).vectors
    }

    @Test func `golden vectors: chunks of a payload`() throws {
        var (compared, lists) = (0, 0)
        for vector in try vectors() {
            guard let payload = vector.payload else { continue }
            let chunks = try TransferChunks(payload: payload)
            #expect(chunks.encryptedSize == vector.total, "payload \(payload)")
            compared += 1
            guard let list = vector.sizes?.list else { continue }
            #expect(chunks.map(\.size) == list.map { Self.names[$0] }, "payload \(payload)")
            lists += 1
        }
        #expect(compared == 28 && lists == 27, "the vectors were not read")
        let large = try TransferChunks(payload: 1 << 30)
        #expect(large.count == 256 && large.first?.size == .mib4 && large.last?.size == .mib4)
    }

    @Test func `golden vectors: a single chunk`() throws {
        let singles = try vectors().filter { $0.single != nil }
        #expect(singles.count == 7)
        for vector in singles {
            let found = ChunkSize.single(holding: try #require(vector.single))
            #expect(found == vector.size.flatMap { Self.names[$0] })
        }
        #expect(ChunkSize.single(holding: 4_194_305) == nil)
    }

    /// The rule of the specification word by word, one chunk after the other.
    private func oneByOne(_ payload: Int64) -> [Int64] {
        let (k64, k256, m1, m4): (Int64, Int64, Int64, Int64) = (65_536, 262_144, 1_048_576, 4_194_304)
        let (small, big) =
            payload > m4 * 3 / 4 ? (m1, m4) : payload > m1 * 3 / 4 ? (k256, m1) : (k64, k256)
        var (rest, sizes) = (payload, [Int64]())
        while rest > 0 {
            if rest >= big {
                sizes.append(big)
                rest -= big
            } else if rest > big * 3 / 4 {
                sizes.append(big)
                rest = 0
            } else {
                sizes.append(small)
                rest -= small
            }
        }
        return sizes
    }

    @Test func `chunks hold the payload, follow the rule, and lie one behind the other`() throws {
        var random = SeededGenerator(seed: Self.seed)
        let borders: [Int64] = [
            65_536, 196_608, 262_144, 786_432, 1_048_576, 3_145_728, 4_194_304, 7_340_032,
        ]
        let near = borders.flatMap { border in (-2...2).map { border + $0 } }
        let sizes =
            near
            + (0..<3000).map { _ in
                Int64.random(in: 0...(1 << Int.random(in: 1...27, using: &random)), using: &random)
            }
        for payload in sizes {
            let chunks = try TransferChunks(payload: payload)
            #expect(chunks.map(\.size.bytes) == oneByOne(payload), "payload \(payload), seed \(Self.seed)")
            #expect(chunks.encryptedSize >= payload)
            #expect(chunks.runs.count <= 2)
            var offset: Int64 = 0
            for chunk in chunks {
                #expect(chunk.offset == offset)
                offset += chunk.size.bytes
            }
            #expect(offset == chunks.encryptedSize)
        }
    }

    @Test func `an absurd size is divided at once, a larger one refused`() throws {
        let chunks = try TransferChunks(payload: TransferChunks.largestPayload)
        #expect(chunks.runs.count == 1 && chunks.encryptedSize >= TransferChunks.largestPayload)
        #expect(chunks[chunks.count - 1].offset + 4_194_304 == chunks.encryptedSize)
        for payload in [-1, Int64.min, TransferChunks.largestPayload + 1, Int64.max] {
            #expect(throws: MediaRulesError.self) { try TransferChunks(payload: payload) }
            #expect(throws: MediaRulesError.self) { try TransferChunks(fileSize: payload, fileName: "a") }
        }
    }

    @Test func `the name counts, up to 255 bytes`() throws {
        // 2 + 5 bytes of header, 24 of length and tag.
        #expect(try TransferChunks(fileSize: 65_536 - 31, fileName: "a.jpg").description == "1 x 65.5 kB")
        #expect(try TransferChunks(fileSize: 65_536 - 30, fileName: "a.jpg").description == "2 x 65.5 kB")
        #expect(try TransferChunks(fileSize: 0, fileName: "").description == "1 x 65.5 kB")
        #expect(try TransferChunks.headerSize(fileName: "é.txt") == 8)
        #expect(try TransferChunks.headerSize(fileName: String(repeating: "a", count: 255)) == 257)
        let error = #expect(throws: MediaRulesError.self) {
            try TransferChunks.headerSize(fileName: String(repeating: "é", count: 128))
        }
        #expect(error?.code == .invalid && error?.remedy == .renameFile)
        #expect(try TransferChunks(payload: 17_825_792).description == "4 x 4.2 MB + 1 x 1.0 MB")
    }
}
