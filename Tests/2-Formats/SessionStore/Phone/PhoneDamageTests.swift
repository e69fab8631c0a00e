import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseSecrets

@testable import ValiseSessionStore

/// Folders of iOS that are damaged, cut off or incomplete.
struct PhoneDamageTests {
    private let folder: TemporaryFolder
    private var container: FilePath { folder.appending("container") }
    private var path: FilePath { PhoneBuilder.database(container) }
    private static let story = Story(seed: 4, messages: 80)

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        try PhoneBuilder().write(Self.story, to: container)
    }

    private func open() throws -> PhoneStore {
        try PhoneContainer(container).open(
            key: PhoneKey(SecretBytes(copying: PhoneBuilder.key)), workFolder: folder.path)
    }

    private func check(_ store: some SessionStore) throws {
        try StoryExpectation(story: Self.story, program: .phone).check(store)
    }

    /// Whether it is refused; else it is read as it was.
    private func isRefused(_ bytes: [UInt8]) throws -> Bool {
        try TestFiles.write(bytes, to: path)
        do {
            try check(open())
            return false
        } catch let error as SessionStoreError {
            #expect([.damaged, .wrongKey, .unsupported].contains(error.kind), "\(error)")
            return true
        }
    }

    @Test func `damage of any page is an error, and never another content`() throws {
        let intact = try FileSystem().contents(of: path, limit: 1 << 24)
        let seed = UInt64.random(in: 0...999_999)
        print("damaged pages: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var failures = 0
        for _ in 0..<40 {
            var bytes = intact
            bytes[Int.random(in: bytes.indices, using: &random)] ^=
                1 << UInt8.random(in: 0...7, using: &random)
            failures += try isRefused(bytes) ? 1 : 0
        }
        #expect(failures > 0)
    }

    /// No code of authentication covers the first 32 bytes, which iOS has to see.
    @Test func `each bit of the unencrypted header does no harm`() throws {
        let intact = try FileSystem().contents(of: path, limit: 1 << 24)
        for bit in stride(from: 0, to: 32 * 8, by: FaultSweep.isIntact ? 1 : 5) {
            var bytes = intact
            bytes[bit / 8] ^= 1 << (bit % 8)
            _ = try isRefused(bytes)
        }
    }

    @Test(arguments: [0, 1, 31, 32, 100, 4095, 4096, 5000, 40_960])
    func `a database that is cut off is refused`(_ size: Int) throws {
        let intact = try FileSystem().contents(of: path, limit: 1 << 24)
        try #require(size < intact.count)
        try TestFiles.write(Array(intact.prefix(size)), to: path)
        let error = #expect(throws: (any Error).self) { try check(open()) }
        #expect(error is SessionStoreError, "\(error as Any)")
    }

    @Test func `attachments that are gone, or a folder in their place, are told when they are asked for`()
        throws
    {
        try FileSystem().removeTree(container.appending("Attachments"))
        let store = try open()
        try check(store)
        let message = try #require(Self.story.messages.first { $0.kind == .picture })
        var attachment: SessionAttachment?
        try store.forEachMessage(of: message.chat, newest: nil, damaged: { Issue.record($0) }) {
            if $0.row == Int64(message.number) + 1 { attachment = $0.attachments.first }
        }
        let picture = try #require(attachment)
        let gone = #expect(throws: SessionStoreError.self) { try store.content(of: picture).size }
        #expect(gone?.kind == .missing)
        try FileSystem().makeDirectories(store.attachments.pushing(try #require(picture.file)))
        let wrong = #expect(throws: (any Error).self) { try store.content(of: picture).size }
        #expect(wrong is any Failure)
    }
}
