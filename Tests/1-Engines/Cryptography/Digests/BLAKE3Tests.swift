import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles

@testable import ValiseCryptography

struct BLAKE3Tests {
    /// The input of the published vectors: 0 to 250 again and again.
    private func input(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

    /// From the vectors of the reference implementation.
    @Test(arguments: [
        (0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"),
        (1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"),
        (1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"),
        (102400, "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085"),
    ])
    func `digests are the published ones`(count: Int, expected: String) throws {
        #expect(hexadecimal(try BLAKE3.hash(input(count))) == expected)
    }

    @Test(arguments: [1, .random(in: 2 ... .max)]) func `pieces have the digest of the whole`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let bytes = input(.random(in: 0...200_000, using: &random))
            var hash = try BLAKE3()
            let shared = try SharedBLAKE3()
            var place = 0
            while place < bytes.count {
                let piece = Array(bytes[place...].prefix(.random(in: 1...50_000, using: &random)))
                hash.update(piece)
                piece.withUnsafeBytes { shared.add($0) }
                place += piece.count
                // To ask for the digest changes nothing.
                let digest = hash.digest()
                #expect(digest == shared.digest(), "\(seed)")
            }
            let digest = hash.digest()
            #expect(try digest == BLAKE3.hash(bytes), "\(seed)")
            hash.reset()
            hash.update([1])
            let last = hash.finalize()
            #expect(try last == BLAKE3.hash([1]))
        }
    }

    @Test func `a file is hashed in pieces, and stops where it is asked to`() throws {
        let folder = try TemporaryFolder("valise-blake3", inMemory: true)
        let path = folder.appending("file")
        let bytes = input(2_500_000)
        try FileSystem().replace(path, with: bytes)
        var steps: [Int64] = []
        let source = try FileSource(path)
        #expect(try BLAKE3.hash(source) { steps.append($0) } == BLAKE3.hash(bytes))
        #expect(steps == [1 << 20, 2 << 20, 2_500_000])
        #expect(throws: Interruption.self) { try BLAKE3.hash(source) { _ in throw Interruption() } }
    }

    @Test func `a library that cannot be loaded is named`() throws {
        let error = #expect(throws: CryptographyError.self) {
            try BLAKE3Library.attempt("libvalise-none.so.1")
        }
        #expect(error?.code == .failed && error?.remedy == .installLibblake3)
        #expect(error?.message.hasPrefix("cannot load libblake3, which computes digests: ") == true)
        #expect(throws: CryptographyError.self) { try BLAKE3Library.attempt("libz.so.1") }
        #expect(try BLAKE3Library.version().hasPrefix("1."))
        try BLAKE3Library.attempt("libblake3.so.0")
    }
}
