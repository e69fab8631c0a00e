import Testing
import ValiseAccounts
import ValiseBackups
import ValiseFailures
import ValisePages
import ValiseRepository
import ValiseStorage

struct BackupMetadataTests {
    private func sample() throws -> BackupMetadata {
        var metadata = BackupMetadata(mode: .open, prefix: "mine")
        metadata.program = "valise 1"
        metadata.isInUse = true
        var chat = BackupMetadata.Database(.chat, .open, pageSize: 4096, pagesPerGroup: 2, pageCount: 9)
        chat.salt = Array(0..<16)
        chat.cipher = .format4
        chat.damaged = PageSet([2, 3, 7])
        let agent = BackupMetadata.Database(
            .agent, .unencrypted, pageSize: 1024, pagesPerGroup: 1, pageCount: 3)
        metadata.databases = [chat, agent]
        let ids = try (1...3).map { try ContentID(hashing: [UInt8($0)]) }
        metadata.previous = ids[0]
        metadata.known = try .init(ids)
        metadata.problems = [.init("simplex_v1_files/a", "no such file")]
        metadata.leftOut = ["simplex_v1_files/link"]
        return metadata
    }

    @Test func `what is written is read`() throws {
        let metadata = try sample()
        #expect(try BackupMetadata(decoding: metadata.encode()) == metadata)
        let text = String(decoding: try metadata.encode(), as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"{"version":1,"program":"valise 1","mode":"open","prefix":"mine","inUse":true,"databases":[{"name":"chat","mode":"open","pageSize":4096,"pagesPerGroup":2,"pageCount":9,"salt":"000102030405060708090a0b0c0d0e0f","cipher":{"kdfAlgorithm":"SHA512","kdfIterations":256000,"hmacAlgorithm":"SHA512","plaintextHeaderSize":0,"reserve":80},"damaged":[[2,3],[7,7]]}"#
            ))
    }

    @Test func `the digest of the snapshots does not depend on their order`() throws {
        let ids = try (1...5).map { try ContentID(hashing: [UInt8($0)]) }
        let known = try BackupMetadata.KnownSnapshots(ids)
        let reversed = try BackupMetadata.KnownSnapshots(ids.reversed())
        let fewer = try BackupMetadata.KnownSnapshots(ids.dropLast())
        #expect(known == reversed && known != fewer)
    }

    @Test func `unknown and missing fields are no obstacle`() throws {
        let metadata = try BackupMetadata(
            decoding: Array(
                #"{"new":[1],"version":1,"mode":"sealed","databases":[{"name":"other"},{"name":"chat","mode":"sealed","pageSize":4096,"pageCount":2,"more":{}}]}"#
                    .utf8))
        #expect(metadata.prefix == "simplex_v1" && metadata.databases.count == 1 && metadata.known == nil)
    }

    @Test(
        arguments: [
            "", "[]", #"{"mode":"open"}"#, #"{"version":1}"#, #"{"version":1,"mode":"other"}"#,
            #"{"version":1,"mode":"open","databases":[{"name":"chat"}]}"#,
            #"{"version":1,"mode":"open","databases":[{"name":"chat","mode":"open","pageSize":4096,"pageCount":2}]}"#,
            #"{"version":1,"mode":"open","databases":[{"name":"chat","mode":"sealed","pageSize":0,"pageCount":2}]}"#,
            #"{"version":1,"mode":"open","databases":[{"name":"chat","mode":"sealed","pageSize":4096,"pageCount":-1}]}"#,
            #"{"version":1,"mode":"open","databases":[{"name":"chat","mode":"plain","pageSize":4096,"pageCount":9,"salt":"00"}]}"#,
            #"{"version":1,"mode":"open","databases":[{"name":"chat","mode":"plain","pageSize":4096,"pageCount":9,"damaged":[[3,2]]}]}"#,
            #"{"version":1,"mode":"open","databases":[{"name":"chat","mode":"plain","pageSize":4096,"pageCount":9,"damaged":[[3,4],[4,5]]}]}"#,
            #"{"version":1,"mode":"open","databases":[{"name":"chat","mode":"sealed","pageSize":4096,"pageCount":9,"cipher":{"kdfAlgorithm":"MD5","kdfIterations":1}}]}"#,
        ])
    func `what contradicts itself is damaged`(_ text: String) {
        #expect {
            _ = try BackupMetadata(decoding: Array(text.utf8))
        } throws: {
            ($0 as? BackupError)?.code == .damaged
        }
    }

    @Test func `another version is a newer program's`() {
        #expect {
            _ = try BackupMetadata(decoding: Array(#"{"version":2,"mode":"open"}"#.utf8))
        } throws: {
            ($0 as? BackupError)?.code == .newer
        }
    }

    @Test func `what no reader would take is not written`() throws {
        var metadata = try sample()
        metadata.databases[0].salt = [1]
        #expect(throws: BackupError.self) { _ = try metadata.encode() }
    }
}
