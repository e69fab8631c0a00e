import FaultInjection
import Foundation
import TestPeers
import Testing
import ValiseStorage

@testable import ValiseRepository

/// Records that restic 0.14 (v1) and 0.18 (v2) wrote, decrypted: the vectors of the repository format.
enum RecordFixture {
    static func url(_ path: String) -> URL { Repository.beside("Fixtures/\(path)") }

    static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: url(path))) }

    static func json(_ path: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url(path))) as? [String: Any])
    }

    /// Such as `trees`, by their names.
    static func records(_ version: String, _ kind: String) throws -> [(id: String, json: [UInt8])] {
        let folder = url("\(version)/\(kind)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.map { (String($0.dropLast(".json".count)), try bytes("\(version)/\(kind)/\($0)")) }
    }

    /// The same for the same number.
    static func id(_ number: Int) -> ContentID {
        var random = SeededGenerator(seed: UInt64(bitPattern: Int64(number)))
        return ContentID(words: (random.next(), random.next(), random.next(), random.next()))
    }
}

extension String {
    /// For literals of JSON.
    var json: [UInt8] { Array(utf8) }
}
