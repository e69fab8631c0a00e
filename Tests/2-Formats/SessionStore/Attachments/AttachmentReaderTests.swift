import FaultInjection
import SystemPackage
import Testing
import ValiseCryptography
import ValiseFiles
import ValiseSecrets

@testable import ValiseSessionStore

/// What holds for every form: round trips of many sizes, damage of every kind, nothing given out too early.
struct AttachmentReaderTests {
    private static let sizes = [
        0, 1, 15, 16, 17, 63, 64, 65, 540, 541, 542, 4000, 32_714, 32_767, 32_768, 32_769, 65_519, 65_536,
        131_071, 131_072, 131_073, 200_000,
    ]

    @Test(arguments: AttachmentForm.allCases)
    func `every size comes back`(form: AttachmentForm) throws {
        var random = SeededGenerator(seed: AttachmentVectors.runSeed("sizes of \(form)"))
        let more = (0..<12).map { _ in Int.random(in: 0...180_000, using: &random) }
        for size in Self.sizes + more {
            // The legacy form takes zeros at the end for padding where its size is unknown; here it is known.
            let content = AttachmentVectors.random(size, &random)
            let sealed = try SealedAttachment(form, content, &random)
            if form == .stream {
                #expect(Int64(sealed.file.count) == AttachmentSizes.stream(Int64(size)).file)
            }
            var read: [UInt8] = []
            let reader = try sealed.reader()
            let count = try reader.decrypt(AttachmentBytes(sealed.file)) { read.append(contentsOf: $0) }
            #expect(read == content, "size \(size)")
            #expect(count == Int64(size))
            #expect(try reader.verify(AttachmentBytes(sealed.file)) == Int64(size))
        }
    }

    @Test(arguments: AttachmentForm.allCases)
    func `a bit that changed, a cut and an added byte are found`(form: AttachmentForm) throws {
        var random = SeededGenerator(seed: AttachmentVectors.runSeed("damage of \(form)"))
        let sealed = try SealedAttachment(form, AttachmentVectors.random(70_000, &random), &random)
        let places = [0, 1, 15, 16, 24, 25, 26, sealed.file.count / 2, sealed.file.count - 1]
        for place in places + (0..<30).map({ _ in Int.random(in: 0..<sealed.file.count, using: &random) }) {
            var file = sealed.file
            file[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let kind = try sealed.failure(file)
            #expect(
                kind == .damaged || (form != .legacy && kind == .wrongKey), "place \(place): \(kind as Any)")
        }
        for count in [
            0, 1, 24, 25, 41, 42, 48, 63, 64, 32_810, sealed.file.count - 16, sealed.file.count - 1,
        ] {
            #expect(try sealed.failure(Array(sealed.file.prefix(count))) != nil, "cut to \(count)")
        }
        #expect(try sealed.failure(sealed.file + [0]) != nil)
        #expect(try sealed.failure(sealed.file + [UInt8](repeating: 0, count: 16)) != nil)
        #expect(try sealed.failure(sealed.file) == nil)
    }

    @Test(arguments: AttachmentForm.allCases)
    func `another key is told apart where the format can`(form: AttachmentForm) throws {
        var random = SeededGenerator(seed: 5)
        let sealed = try SealedAttachment(form, AttachmentVectors.random(70_000, &random), &random)
        let other = AttachmentVectors.random(form.keyByteCount, &random)
        #expect(try sealed.failure(sealed.file, key: other) == .wrongKey)
        #expect(try sealed.failure(sealed.file, key: other, digest: false) == .wrongKey)
        #expect(try sealed.failure(sealed.file, key: Array(other.dropLast())) == .wrongKey)
        #expect(throws: SessionStoreError.self) { try AttachmentReader(form, key: nil) }
        do {
            _ = try AttachmentReader(form, key: nil)
        } catch let error as SessionStoreError {
            #expect(error.kind == .noKey)
        }
    }

    @Test func `damage behind the first part is the file's, not the key's`() throws {
        var random = SeededGenerator(seed: 6)
        let stream = try SealedAttachment(.stream, AttachmentVectors.random(100_000, &random), &random)
        var file = stream.file
        file[60_000] ^= 1
        #expect(try stream.failure(file) == .damaged)
        // Two parts that changed places, and one that is missing.
        let (head, part) = (25, 32_785)
        let parts = stride(from: head, to: stream.file.count, by: part).map {
            stream.file[$0..<min($0 + part, stream.file.count)]
        }
        let swapped = Array(stream.file[..<head] + parts[0] + parts[2] + parts[1] + parts[3...].joined())
        #expect(swapped.count == stream.file.count)
        #expect(try stream.failure(swapped) == .damaged)
        #expect(try stream.failure(Array(stream.file[..<head] + parts[0] + parts[2...].joined())) == .damaged)
        #expect(try stream.failure(Array(stream.file[..<head] + parts.dropLast().joined())) == .damaged)
        #expect(try stream.failure(stream.file + parts[3]) == .damaged)
    }

    @Test func `a size that the legacy content has not is refused, and zeros may be no content`() throws {
        var random = SeededGenerator(seed: 7)
        let content = [UInt8](repeating: 0, count: 700)
        var sealed = try SealedAttachment(.legacy, content, &random)
        #expect(try sealed.reader().contents(of: AttachmentBytes(sealed.file), limit: 4000) == content)
        sealed.size = 100_000
        #expect(try sealed.failure(sealed.file) == .damaged)
        // Of an unknown size, all zeros are padding.
        sealed.size = 0
        #expect(try sealed.reader().contents(of: AttachmentBytes(sealed.file), limit: 4000).isEmpty)
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.appending("empty")
        #expect(try sealed.reader().decrypt(AttachmentBytes(sealed.file), to: path) == 0)
        #expect(try FileSystem().contents(of: path, limit: 10).isEmpty)
        #expect(throws: SessionStoreError.self) {
            try AttachmentReader(.legacy, key: AttachmentVectors.secret(sealed.key), size: -1)
        }
    }

    @Test func `padding without an end, or with another one, is damage`() throws {
        for plaintext in [[0, 0, 0], [0, 2, 7], [], [7]] as [[UInt8]] {
            let key = try SecretSeed(copying: [UInt8](repeating: 3, count: 32))
            let file = try StreamForgery.seal([plaintext], key: key)
            #expect(try StreamForgery.failure(file, key: key) == .damaged, "\(plaintext)")
        }
    }

    @Test func `a stream that says that it ends elsewhere is damage`() throws {
        let key = try SecretSeed(copying: [UInt8](repeating: 3, count: 32))
        let piece = [0, 1] + [UInt8](repeating: 9, count: 32_766)
        #expect(try StreamForgery.failure(StreamForgery.seal([piece, [1]], key: key), key: key) == nil)
        for tags in [[.final, .final], [.message, .message], [.push, .final], [.rekey, .final]]
            as [[SecretStream.Tag]]
        {
            let file = try StreamForgery.seal([piece, [1]], tags: tags, key: key)
            #expect(try StreamForgery.failure(file, key: key) == .damaged, "\(tags)")
        }
        // A part that is shorter than it has to be moves all that follow.
        let short = try StreamForgery.seal([[1, 2, 3], [4]], key: key)
        #expect(try StreamForgery.failure(short, key: key) == .wrongKey)
        var marked = try StreamForgery.seal([[1]], key: key)
        marked[0] = UInt8(ascii: "T")
        #expect(try StreamForgery.failure(marked, key: key) == .damaged)
    }

    @Test func `a local attachment that does not say that it ends is damage`() throws {
        let key = try SecretSeed(copying: [UInt8](repeating: 3, count: 32))
        let reader = try AttachmentReader(.local, key: key.shared())
        for tag in [SecretStream.Tag.message, .push, .rekey, .final] {
            // Without the mark of a stream's file, and with one message.
            let file = Array(try StreamForgery.seal([[1, 2, 3]], tags: [tag], key: key).dropFirst())
            guard tag != .final else {
                #expect(try reader.contents(of: AttachmentBytes(file), limit: 100) == [1, 2, 3])
                continue
            }
            do {
                try reader.verify(AttachmentBytes(file))
                Issue.record("\(tag) was taken")
            } catch let error as SessionStoreError {
                #expect(error.kind == .damaged)
            }
        }
    }

    @Test func `the limit is kept`() throws {
        var random = SeededGenerator(seed: 8)
        for form in AttachmentForm.allCases {
            let sealed = try SealedAttachment(form, [1, 2, 3], &random)
            let key = try AttachmentVectors.secret(sealed.key)
            let reader = try AttachmentReader(form, key: key, limit: Int64(sealed.file.count) - 1)
            for read in [
                { _ = try reader.verify(AttachmentBytes(sealed.file)) },
                { _ = try sealed.reader().contents(of: AttachmentBytes(sealed.file), limit: 10) },
            ] {
                do {
                    try read()
                    Issue.record("read over the limit")
                } catch let error as SessionStoreError {
                    #expect(error.kind == .unsupported)
                }
            }
        }
    }
}
