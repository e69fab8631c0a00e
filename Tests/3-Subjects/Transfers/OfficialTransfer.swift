import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseCryptography
import ValiseFiles
import ValiseTransfers
import ValiseXFTPWire

/// What the official programs sent, with the chunks as their relay stored them.
struct OfficialTransfer {
    let folder: FilePath

    static let fixtures = FilePath(Repository.fixture("transfers").path)

    /// One of `Support/Fixtures/transfers/files`, sent by the official command.
    static func file(_ size: Int) -> OfficialTransfer {
        OfficialTransfer(folder: fixtures.appending("files/size-\(size)"))
    }

    /// Sent by the official agent, with a redirect.
    static let agent = OfficialTransfer(folder: fixtures.appending("agent-transfer"))

    func description(_ name: String) throws -> FileDescription {
        try FileReference(file: folder.appending(name)).description
    }

    func text(_ name: String) throws -> String {
        String(decoding: try FileSystem().contents(of: folder.appending(name), limit: 1 << 20), as: UTF8.self)
    }

    /// Relays that hold the chunks of these descriptions.
    ///
    /// - Parameter descriptions: each with the folder of its chunks.
    func relays(_ descriptions: [(FileDescription, chunks: String)]) throws -> FakeRelays {
        let relays = FakeRelays()
        for (description, chunks) in descriptions {
            let files = try FileSystem().list(folder.appending(chunks)).compactMap(\.name).map {
                try FileSystem().contents(of: folder.appending(chunks).appending($0), limit: 1 << 23)
            }
            for chunk in description.chunks {
                let content = try #require(files.first { SHA256.hash($0) == chunk.digest })
                for replica in chunk.replicas {
                    relays.put(content, relay: replica.server, recipients: [replica.id: replica.key])
                }
            }
        }
        return relays
    }

    /// The plaintexts: with x = the size, each next byte is the top byte of x = x·1664525 + 1013904223 mod 2^32.
    static func plaintext(_ size: Int) -> [UInt8] {
        var x = UInt32(size)
        return (0..<size).map { _ in
            x = x &* 1_664_525 &+ 1_013_904_223
            return UInt8(x >> 24)
        }
    }
}
