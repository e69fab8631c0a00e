import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseFiles

@testable import ValiseSessionStore

/// Agreement with PyNaCl (or libsodium called from Python) and `cryptography` (or openssl), over a reader and a writer that know
/// only the format's description.
@Suite(.enabled(if: OtherProgram.isThere("python3"), "needs python3"))
struct AttachmentPeerTests {
    private static let script = Repository.url("Tests/2-Formats/SessionStore/Support/session_peer.py").path
    /// With PyNaCl where it is there, as the set-up installs it.
    private static let peer = OtherProgram.python(with: "nacl") ?? OtherProgram("python3")
    private static let sizes = [1, 32_650, 700_000]
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func write(_ bytes: [UInt8], _ name: String) throws -> FilePath {
        var file = try FileSystem().create(folder.appending(name))
        try file.write(bytes)
        return folder.appending(name)
    }

    @Test(arguments: AttachmentForm.allCases, sizes)
    func `what is written here another program reads`(form: AttachmentForm, size: Int) throws {
        var random = SeededGenerator(seed: AttachmentVectors.runSeed("peer \(form) \(size)"))
        let content = AttachmentVectors.content(size)
        let sealed = try SealedAttachment(form, content, &random)
        let path = try write(sealed.file, "sealed")
        let answer = try #require(Self.peer).run([
            Self.script, "open", "\(form)", Hexadecimal.encode(sealed.key), path.string, "\(size)",
        ])
        #expect(answer.status == 0, "\(answer.output)")
        #expect(answer.output == Hexadecimal.encode(SHA256.hash(content)) + "\n")
    }

    @Test(arguments: AttachmentForm.allCases, sizes)
    func `what another program writes is read here`(form: AttachmentForm, size: Int) throws {
        var random = SeededGenerator(seed: AttachmentVectors.runSeed("peer \(form) \(size)"))
        let content = AttachmentVectors.content(size)
        let key = AttachmentVectors.random(form.keyByteCount, &random)
        let start = AttachmentVectors.random(form == .legacy ? 16 : 24, &random)
        let (source, target) = (try write(content, "content"), folder.appending("sealed"))
        let answer = try #require(Self.peer).run([
            Self.script, "seal", "\(form)", Hexadecimal.encode(key), Hexadecimal.encode(start), source.string,
            target.string,
        ])
        #expect(answer.status == 0, "\(answer.output)")
        let reader = try AttachmentReader(form, key: AttachmentVectors.secret(key), size: Int64(size))
        let opened = folder.appending("opened")
        #expect(try reader.decrypt(AttachmentReader.source(target), to: opened) == Int64(size))
        #expect(try FileSystem().contents(of: opened, limit: 1 << 24) == content)
    }
}
