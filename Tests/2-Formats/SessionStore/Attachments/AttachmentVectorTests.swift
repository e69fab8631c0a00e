import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseSecrets

@testable import ValiseSessionStore

/// The vectors of the three forms, both ways.
struct AttachmentVectorTests {
    @Test func `legacy attachments are read and written as the vectors have them`() throws {
        let cases = try AttachmentVectors.cases("attachment_legacy")
        #expect(cases.count == 4)
        for vector in cases {
            let content = try AttachmentVectors.content(of: vector)
            let key = try AttachmentVectors.secret(AttachmentVectors.bytes(vector, hexadecimal: "key_hex"))
            let digest = try AttachmentVectors.bytes(vector, hexadecimal: "digest_hex")
            let file = try #require(try AttachmentVectors.bytes(vector, base64: "b64"))
            #expect(file.count == vector["size"] as? Int)
            #expect(AttachmentSizes.legacy(Int64(content.count)) == vector["padded_size"] as? Int64)
            let reader = try AttachmentReader(
                .legacy, key: key, digest: digest, size: Int64(content.count))
            #expect(try reader.contents(of: AttachmentBytes(file), limit: 1 << 20) == content)
            // Of unknown size all is content, its zeros too.
            let whole = try AttachmentReader(.legacy, key: key).contents(
                of: AttachmentBytes(file), limit: 1 << 20)
            #expect(whole.count == vector["padded_size"] as? Int && whole.starts(with: content))
            var written: [UInt8] = []
            let made = try AttachmentWriter.legacy(
                AttachmentBytes(content), key: key, vector: Array(file.prefix(16))
            ) { written.append(contentsOf: $0) }
            #expect(written == file)
            #expect(made == digest)
        }
    }

    @Test func `attachments of libsession are read and written as the vectors have them`() throws {
        let seed = try AttachmentVectors.seed(AttachmentVectors.json("attachment_libsession"), "seed_hex")
        let cases = try AttachmentVectors.cases("attachment_libsession")
        #expect(cases.count == 5)
        for vector in cases {
            let content = try AttachmentVectors.content(of: vector)
            let domain = try #require(
                (vector["domain"] as? UInt8).flatMap { AttachmentWriter.Domain(rawValue: $0) })
            var written: [UInt8] = []
            let key = try AttachmentWriter.stream(AttachmentBytes(content), seed: seed, domain) {
                written.append(contentsOf: $0)
            }
            #expect(key.equals(try AttachmentVectors.seed(vector, "key_hex")))
            #expect(
                written[1..<25].elementsEqual(try AttachmentVectors.bytes(vector, hexadecimal: "header_hex")))
            #expect(written.count == vector["size"] as? Int)
            #expect(Hexadecimal.encode(SHA256.hash(written)) == vector["sha256"] as? String)
            let file = try AttachmentVectors.bytes(vector, base64: "b64") ?? written
            #expect(file == written)
            let reader = try AttachmentReader(
                .stream,
                key: AttachmentVectors.secret(AttachmentVectors.bytes(vector, hexadecimal: "key_hex")))
            #expect(try reader.contents(of: AttachmentBytes(file), limit: 1 << 20) == content)
        }
    }

    @Test func `lengths of libsession's files are those of the vectors`() throws {
        let sizes = try AttachmentVectors.cases("attachment_libsession", "sizes")
        #expect(sizes.count == 11)
        for vector in sizes {
            let made = AttachmentSizes.stream(try #require(vector["plaintext"] as? Int64))
            #expect(made.file == vector["encrypted"] as? Int64, "\(vector)")
            #expect(made.padding == vector["padding"] as? Int64, "\(vector)")
        }
        #expect(AttachmentSizes.stream(AttachmentSizes.largestUpload).file == 10_223_616)
    }

    @Test func `local attachments of Desktop are read and written as the vectors have them`() throws {
        let json = try AttachmentVectors.json("desktop_attachment")
        let key = try AttachmentVectors.bytes(json, hexadecimal: "key_hex")
        let header = try AttachmentVectors.bytes(json, hexadecimal: "header_hex")
        let cases = try AttachmentVectors.cases("desktop_attachment")
        #expect(cases.count == 3)
        for vector in cases {
            let content = try AttachmentVectors.content(of: vector)
            var written: [UInt8] = []
            try AttachmentWriter.local(
                AttachmentBytes(content), key: SecretSeed(copying: key), header: header
            ) { written.append(contentsOf: $0) }
            #expect(written.count == vector["size"] as? Int)
            #expect(Hexadecimal.encode(SHA256.hash(written)) == vector["sha256"] as? String)
            if let file = try AttachmentVectors.bytes(vector, base64: "b64") { #expect(file == written) }
            let reader = try AttachmentReader(.local, key: AttachmentVectors.secret(key))
            #expect(try reader.contents(of: AttachmentBytes(written), limit: 1 << 20) == content)
        }
    }
}
