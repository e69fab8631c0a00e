import Foundation
import Testing
import ValiseEncoding
import ValiseFailures
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// Repositories that restic made are read down to each blob.
@Suite(.serialized) struct RepositoryVectorTests {
    @Test(arguments: RepositoryVector.all)
    func `each key file is opened by its password and by no other`(vector: RepositoryVector) throws {
        let master = try vector.masterKey()
        let files = try vector.files(.keys)
        var opening: Set<String> = []
        for (name, bytes) in files {
            #expect(name == .file(.keys, try ContentID(hashing: bytes)))
            let file = try KeyFile(decoding: bytes)
            #expect(file.encode() == bytes, "restic's order of fields")
            // Not all: each takes as long as restic wants.
            let password = try vector.passwords.first { try Self.opens(file, $0, master) }
            opening.insert(try #require(password))
            let created = try #require(file.created)
            #expect(UTCTime(created) != nil)
        }
        #expect(opening == Set(vector.passwords) && files.count == opening.count)
    }

    private static func opens(_ file: KeyFile, _ password: String, _ master: MasterKey) throws -> Bool {
        do {
            #expect(try file.unlock(secret(password)).equals(master))
            return true
        } catch let error as RepositoryError where error.kind == .wrongPassword {
            #expect(error.code == .wrongPassphrase)
            return false
        }
    }

    @Test(arguments: RepositoryVector.all)
    func `the configuration is what restic shows, and is written as restic does`(
        vector: RepositoryVector
    ) throws {
        let master = try vector.masterKey()
        let config = try RepositoryConfig.open(vector.config(), master)
        let node = try vector.expected()
        let expected = try #require(node["config"])
        #expect(config.version == vector.version)
        #expect(config.id.text == expected["id"]?.textValue)
        #expect(config.chunkerPolynomial.text == expected["chunker_polynomial"]?.textValue)
        #expect(config.chunkerPolynomial.degree == ChunkerPolynomial.degree)
        let json = try master.open(vector.config())
        #expect(config.encode() == json)
    }

    @Test(arguments: RepositoryVector.all)
    func `all packs and blobs are intact, and indexes list exactly them`(vector: RepositoryVector) throws {
        var codec = try RepositoryCodec(vector.masterKey(), version: vector.version)
        var packs: [String: [PackedBlob]] = [:]
        for (name, bytes) in try vector.files(.data) {
            let id = try ContentID(hashing: bytes)
            #expect(name == .file(.data, id))
            let blobs = try PackHeader.read(id, bytes, &codec)
            for blob in blobs {
                let sealed = Array(bytes[Int(blob.offset)..<Int(blob.offset) + blob.sealedLength])
                let plain = try blob.decode(sealed, in: id, &codec)
                #expect(plain.count == blob.contentLength)
                #expect(blob.isCompressed == (vector.version == 2))
                if blob.kind == .tree { #expect(plain.starts(with: #"{"nodes":["#.utf8)) }
            }
            #expect(Set(blobs.map(\.kind)).count == 1, "one kind in each pack")
            packs[id.text] = blobs
        }
        #expect(packs.count == 4)
        var listed: [String: [PackedBlob]] = [:]
        for (name, bytes) in try vector.files(.index) {
            let json = try UnpackedFile.decode(bytes, name: name, &codec)
            listed.merge(try Self.blobs(json)) { $0 + $1 }
        }
        #expect(listed == packs)
    }

    /// The packs of an index, with their blobs in order.
    private static func blobs(_ json: [UInt8]) throws -> [String: [PackedBlob]] {
        let node = try #require(JSONNode(parsing: json))
        var packs: [String: [PackedBlob]] = [:]
        for pack in try node.list(of: "packs") {
            let blobs = try pack.list(of: "blobs").map { blob in
                let kind = try blob.text(of: "type")
                let id = try blob.text(of: "id")
                return PackedBlob(
                    try #require(BlobKind.allCases.first { $0.name == kind }),
                    try #require(ContentID(text: id)),
                    offset: try blob.number(of: "offset"), sealedLength: Int(try blob.number(of: "length")),
                    contentLength: blob["uncompressed_length"]?.integerValue.map { Int($0) })
            }
            packs[try pack.text(of: "id")] = blobs.sorted { $0.offset < $1.offset }
        }
        return packs
    }

    @Test(arguments: RepositoryVector.all)
    func `snapshots are those that restic lists`(vector: RepositoryVector) throws {
        var codec = try RepositoryCodec(vector.masterKey(), version: vector.version)
        var trees: [String: String] = [:]
        for (name, bytes) in try vector.files(.snapshots) {
            let json = try UnpackedFile.decode(bytes, name: name, &codec)
            let snapshot = try #require(JSONNode(parsing: json))
            // A tag that is added gives a snapshot a new name, and keeps the first one.
            let first = snapshot["original"]?.textValue ?? String(name.description.suffix(64))
            trees[first] = try snapshot.text(of: "tree")
        }
        let expected = try vector.expected().list(of: "snapshots")
        let pairs = try expected.map { (try $0.text(of: "id"), try $0.text(of: "tree")) }
        #expect(trees == Dictionary(pairs) { first, _ in first })
    }

    @Test(arguments: RepositoryVector.all)
    func `a file under another's name is damaged, and the failure names it`(vector: RepositoryVector) throws {
        var codec = try RepositoryCodec(vector.masterKey(), version: vector.version)
        let files = try vector.files(.snapshots)
        let (name, bytes) = (files[0].name, files[1].bytes)
        do {
            _ = try UnpackedFile.decode(bytes, name: name, &codec)
            Issue.record("no error")
        } catch let error as RepositoryError {
            #expect(error.kind == .damaged && error.code == .damaged)
            #expect(error.subject == name.description)
        }
    }
}
