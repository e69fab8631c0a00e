import FaultInjection
import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseSecrets

@testable import ValiseContentStore

struct ContentKeyTests {
    private let master: StoreKey
    private let key: ContentKey
    private let sealing: ChunkSealing

    init() throws {
        master = StoreKey(
            try StoreFixture.seed(hexadecimal: StoreFixture.text("aead", "wrap", "master_key_hex")))
        key = ContentKey(try StoreFixture.seed(hexadecimal: StoreFixture.text("aead", "file_key_hex")))
        let file = try #require(ContentDigest(text: try StoreFixture.text("aead", "file_id_hex")))
        sealing = ChunkSealing(key: key, file: file)
    }

    @Test func `chunks are encrypted as others do it`() throws {
        let cases = try StoreFixture.list("aead", "chunks")
        #expect(cases.count == 4)
        for item in cases {
            let (plaintext, object) = (try item.base64("plaintext_b64"), try item.base64("object_b64"))
            let (index, nonce) = (try item.number("index"), try item.hexadecimal("nonce_hex"))
            let sealed = plaintext.withUnsafeBytes { sealing.seal($0, index: index, nonce: nonce) }
            #expect(sealed == object)
            #expect(try ContentDigest(of: sealed).text == item.required("object_key_blake3"))
            #expect(try sealing.open(object, index: index) == plaintext)
        }
    }

    @Test func `a chunk opens in its place in its file only`() throws {
        let object = [UInt8](repeating: 7, count: 1000).withUnsafeBytes { sealing.seal($0, index: 0) }
        let error = #expect(throws: ContentStoreError.self) { try sealing.open(object, index: 1) }
        #expect(error?.kind == .wrongKey)
        var file = try #require(ContentDigest(text: try StoreFixture.text("aead", "file_id_hex"))).bytes
        file[31] ^= 1
        let other = ChunkSealing(key: key, file: ContentDigest(digest: file))
        #expect(throws: ContentStoreError.self) { try other.open(object, index: 0) }
        let stranger = ChunkSealing(key: try .random(), file: ContentDigest(digest: file))
        #expect(throws: ContentStoreError.self) { try stranger.open(object, index: 0) }
    }

    @Test func `each bit of a chunk counts`() throws {
        let object = [UInt8](repeating: 7, count: 20).withUnsafeBytes { sealing.seal($0, index: 3) }
        #expect(object.count == 20 + ChunkSealing.overhead)
        for place in object.indices {
            var changed = object
            changed[place] ^= 0x20
            #expect(throws: ContentStoreError.self) { try sealing.open(changed, index: 3) }
        }
    }

    @Test func `what is too short is refused before it is decrypted`() throws {
        for count in [0, 1, 24, 39] {
            let error = #expect(throws: ContentStoreError.self) {
                try sealing.open([UInt8](repeating: 0, count: count), index: 0)
            }
            #expect(error?.kind == .damaged)
        }
        // Decrypted bytes have exactly one length.
        let object = [UInt8](repeating: 7, count: 20).withUnsafeBytes { sealing.seal($0, index: 3) }
        var memory = [UInt8](repeating: 0, count: 19)
        #expect(throws: ContentStoreError.self) {
            try memory.withUnsafeMutableBytes { memory in
                try object.withUnsafeBytes { try sealing.open($0, index: 3, into: memory) }
            }
        }
    }

    @Test func `the same chunk is another object each time`() throws {
        let bytes = [UInt8](repeating: 1, count: 100)
        let objects = (0..<10).map { _ in bytes.withUnsafeBytes { sealing.seal($0, index: 0) } }
        #expect(Set(objects).count == 10)
        for object in objects { #expect(try sealing.open(object, index: 0) == bytes) }
        let nothing = [UInt8]().withUnsafeBytes { sealing.seal($0, index: 0) }
        #expect(nothing.count == 40)
        #expect(try sealing.open(nothing, index: 0) == [])
    }

    // MARK: Wrapping

    @Test func `a key is wrapped as others do it`() throws {
        let nonce = try #require(Hexadecimal.decode(try StoreFixture.text("aead", "wrap", "nonce_hex")))
        let text = try StoreFixture.text("aead", "wrap", "wrapped_b64")
        #expect(key.wrapped(by: master, nonce: nonce) == text && text.utf8.count == 96)
        #expect(try ContentKey(unwrapping: text, with: master).secret.equals(key.secret))
        let fresh = key.wrapped(by: master)
        #expect(fresh != key.wrapped(by: master))
        #expect(try ContentKey(unwrapping: fresh, with: master).secret.equals(key.secret))
    }

    @Test func `another master key and another text are told apart where they can be`() throws {
        let text = key.wrapped(by: master)
        let wrong = #expect(throws: ContentStoreError.self) {
            try ContentKey(unwrapping: text, with: try StoreKey.random())
        }
        #expect(wrong?.kind == .wrongKey && wrong?.code == .wrongPassphrase)
        let damaged = [
            "", String(text.dropLast()), text + "====", String(text.dropLast(4)), text + "AAAA",
            "-" + text.dropFirst(),
            text + "\n", " " + text,
        ]
        for text in damaged {
            let error = #expect(throws: ContentStoreError.self) {
                try ContentKey(unwrapping: text, with: master)
            }
            #expect(error?.kind == .damaged, "\(text)")
        }
    }
}
