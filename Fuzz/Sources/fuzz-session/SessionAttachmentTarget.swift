import Fuzzing
import ValiseCryptography
import ValiseSecrets
import ValiseSessionStore

/// Attachments: files of anybody, and parts that are encrypted here.
enum SessionAttachmentTarget {
    private static let bytes = [UInt8](repeating: 7, count: 64)
    private static let key = try? SharedSecret(SecretBytes(copying: bytes.prefix(32)))
    private static let longKey = try? SharedSecret(SecretBytes(copying: bytes))

    /// The first byte says how the rest is divided, and what the parts say of themselves.
    static func parts(_ input: [UInt8]) {
        guard let key, let choice = input.first,
            let seed = try? SecretSeed(copying: Array(bytes.prefix(32)))
        else { return }
        let header = [UInt8](repeating: 1, count: SecretStream.headerByteCount)
        guard var stream = try? SecretStream(key: seed, header: header) else { return }
        var file = [UInt8(ascii: "S")] + header
        let size = choice & 1 == 0 ? 32_768 : 1 + Int(choice >> 4)
        let content = Array(input.dropFirst())
        var start = 0
        repeat {
            let part = Array(content[start..<min(start + size, content.count)])
            start += part.count
            let isLast = start >= content.count
            let tag = choice & 2 == 0 ? (isLast ? SecretStream.Tag.final : .message) : .rekey
            var sealed = [UInt8](repeating: 0, count: part.count + SecretStream.overhead)
            sealed.withUnsafeMutableBytes { sealed in
                part.withUnsafeBytes { stream.seal($0, into: sealed, tag: tag) }
            }
            file += sealed
        } while start < content.count && file.count < 100_000
        guard let reader = try? AttachmentReader(.stream, key: key) else { return }
        let read = try? reader.contents(of: MemorySource(file), limit: 1 << 20)
        if let read {
            FuzzRun.require(content.suffix(read.count).elementsEqual(read), "content is behind its padding")
            FuzzRun.require(
                content.dropLast(read.count).last == 1
                    && content.dropLast(read.count + 1).allSatisfy { $0 == 0 }, "padding is zeros and a one")
        }
        FuzzRun.require(read == nil || choice & 2 == 0 || content.isEmpty, "another tag is no end")
    }

    static func file(_ input: [UInt8]) {
        let source = MemorySource(input)
        for form in AttachmentForm.allCases {
            guard let key = form == .legacy ? longKey : key,
                let reader = try? AttachmentReader(form, key: key)
            else { continue }
            FuzzRun.require((try? reader.verify(source)) == nil, "nobody encrypted it")
        }
        guard let key, let seed = try? SecretSeed(copying: Array(bytes.prefix(32))) else { return }
        var local: [UInt8] = []
        _ = try? AttachmentWriter.local(source, key: seed, header: Array(bytes.prefix(24))) {
            local.append(contentsOf: $0)
        }
        let reader = try? AttachmentReader(.local, key: key)
        FuzzRun.require(
            (try? reader?.contents(of: MemorySource(local), limit: 1 << 20)) == input, "it is read again")
    }
}
