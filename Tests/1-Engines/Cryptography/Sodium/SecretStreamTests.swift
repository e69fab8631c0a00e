import FaultInjection
import Testing
import ValiseCryptography
import ValiseSecrets

/// Streams of messages, and one message in pieces, which libsodium has to take for its own.
struct SecretStreamTests {
    private let key: SecretSeed
    private let header = Array<UInt8>(100..<124)

    init() throws { key = try SecretSeed(copying: Array(0..<32)) }

    private func seal(_ content: [UInt8], _ tag: SecretStream.Tag, _ stream: inout SecretStream) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: content.count + SecretStream.overhead)
        sealed.withUnsafeMutableBytes { sealed in
            content.withUnsafeBytes { stream.seal($0, into: sealed, tag: tag) }
        }
        return sealed
    }

    private func open(_ sealed: [UInt8], _ stream: inout SecretStream) -> (SecretStream.Tag, [UInt8])? {
        var content = [UInt8](repeating: 0, count: max(0, sealed.count - SecretStream.overhead))
        let tag = content.withUnsafeMutableBytes { content in
            sealed.withUnsafeBytes { stream.open($0, into: content) }
        }
        return tag.map { ($0, content) }
    }

    @Test func `messages come back in their order only`() throws {
        var writer = try SecretStream(key: key, header: header)
        let messages = [[1, 2, 3], [], [UInt8](repeating: 9, count: 5000)] as [[UInt8]]
        let tags: [SecretStream.Tag] = [.message, .rekey, .final]
        let sealed = zip(messages, tags).map { seal($0, $1, &writer) }
        var reader = try SecretStream(key: key, header: header)
        #expect(open(sealed[1], &reader) == nil)
        for (place, part) in sealed.enumerated() {
            var damaged = part
            damaged[part.count / 2] ^= 1
            #expect(open(damaged, &reader) == nil)
            // What was refused changed nothing.
            let opened = try #require(open(part, &reader))
            #expect(opened.0 == tags[place])
            #expect(opened.1 == messages[place])
        }
        #expect(open(sealed[2], &reader) == nil)
        var other = try SecretStream(key: SecretSeed(), header: header)
        #expect(open(sealed[0], &other) == nil)
        #expect(open([1, 2, 3], &other) == nil)
        #expect(throws: SodiumError.self) { _ = try SecretStream(key: key, header: [1]) }
    }

    /// Any size near a block of 16 or 64 bytes, as the padding of the authenticator depends on it.
    @Test func `one message in pieces is libsodium's`() throws {
        var random = SeededGenerator(seed: 21)
        for size in Array(0...200) + [1023, 1024, 1025, 70_000] {
            let content = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            for piece in [64, 128, 65_536] {
                var message = try SecretStreamMessage(key: key, header: header)
                var sealed = [message.hide(.final)]
                for start in stride(from: 0, to: size, by: piece) {
                    var part = Array(content[start..<min(start + piece, size)])
                    part.withUnsafeMutableBytes { message.encrypt($0) }
                    sealed += part
                }
                sealed += message.finish()
                var reader = try SecretStream(key: key, header: header)
                let opened = try #require(open(sealed, &reader), "size \(size)")
                #expect(opened.0 == .final && opened.1 == content)
                #expect(try read(sealed, piece: piece)?.1 == content)
            }
        }
    }

    /// Nil where it is not authentic.
    private func read(_ sealed: [UInt8], piece: Int) throws -> (SecretStream.Tag?, [UInt8])? {
        var message = try SecretStreamMessage(key: key, header: header)
        let tag = message.show(sealed[0])
        var content = Array(sealed[1..<(sealed.count - 16)])
        content.withUnsafeMutableBytes { content in
            for start in stride(from: 0, to: content.count, by: piece) {
                let end = min(start + piece, content.count)
                message.decrypt(UnsafeMutableRawBufferPointer(rebasing: content[start..<end]))
            }
        }
        guard message.finish(authenticator: Array(sealed.suffix(16))) else { return nil }
        return (tag, content)
    }

    @Test func `libsodium's message is read in pieces, each tag too, and no changed bit`() throws {
        let content = Array<UInt8>(0..<150)
        for tag in [SecretStream.Tag.message, .push, .rekey, .final] {
            var writer = try SecretStream(key: key, header: header)
            let sealed = seal(content, tag, &writer)
            let opened = try #require(try read(sealed, piece: 64))
            #expect(opened.0 == tag && opened.1 == content)
            for place in sealed.indices {
                var changed = sealed
                changed[place] ^= 0x80
                #expect(try read(changed, piece: 64) == nil, "byte \(place)")
            }
        }
        #expect(throws: SodiumError.self) {
            _ = try SecretStreamMessage(key: key, header: []).finish()
        }
    }

    @Test func `keys of Ed25519 have keys for agreements`() throws {
        let secret = try Ed25519.agreementSecret(of: key)
        let converted = try #require(Ed25519.agreementKey(of: Ed25519.publicKey(of: key)))
        #expect(X25519.publicKey(of: secret) == converted)
        // A point of small order, no point, other lengths.
        #expect(Ed25519.agreementKey(of: [1] + [UInt8](repeating: 0, count: 31)) == nil)
        #expect(Ed25519.agreementKey(of: [2] + [UInt8](repeating: 0, count: 31)) == nil)
        #expect(Ed25519.agreementKey(of: Array(converted.dropLast())) == nil)
    }
}
