import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseEncoding
import ValiseFiles
import ValiseSecrets

@testable import ValiseSessionStore

/// Databases whose pages are encrypted as they should be, and hold what no database does: nothing traps or goes on forever, and
/// every error is one of the store's.
struct ForgedPageTests {
    private static let story = Story(seed: 91, messages: 150, isWide: true)
    private static let small = Story(seed: 92, messages: 8)
    private static let expected: [SessionStoreError.Kind] = [.damaged, .wrongKey, .unsupported, .newer]
    private let folder: TemporaryFolder
    private var place: FilePath { folder.appending("store") }

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    @Test func `pages of Desktop hold anything`() throws {
        try DesktopBuilder().write(Self.story, to: place)
        try forge(DesktopBuilder.database(place), key: DesktopBuilder.key) {
            try DesktopProfile(place).open(password: nil, workFolder: folder.path)
        }
    }

    @Test func `pages of iOS hold anything`() throws {
        try PhoneBuilder().write(Self.story, to: place)
        try forge(PhoneBuilder.database(place), key: Hexadecimal.encode(PhoneBuilder.key)) {
            try PhoneContainer(place).open(
                key: PhoneKey(SecretBytes(copying: PhoneBuilder.key)), workFolder: folder.path)
        }
    }

    /// SQLCipher 4.6.1 crashed where the header says another size of pages, and some versions of SQLite's format are read
    /// only.
    @Test(arguments: 16..<64, [0, 1, 2, 3, 255] as [UInt8])
    func `a header that says something else is read or refused`(_ byte: Int, _ value: UInt8) throws {
        try DesktopBuilder().write(Self.small, to: place)
        let path = DesktopBuilder.database(place)
        let pages = try ForgedPages(
            FileSystem().contents(of: path, limit: 1 << 24), key: DesktopBuilder.key)
        try TestFiles.write(pages.changed(at: byte, to: value), to: path)
        do {
            _ = try read(DesktopProfile(place).open(password: nil, workFolder: folder.path))
        } catch let error as SessionStoreError {
            #expect(Self.expected.contains(error.kind), "\(error)")
        }
    }

    private func forge<Store: SessionStore>(
        _ path: FilePath, key: String, open: () throws -> Store
    ) throws {
        let pages = try ForgedPages(FileSystem().contents(of: path, limit: 1 << 24), key: key)
        let seed = UInt64.random(in: 0...999_999)
        print("forged pages: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var (refused, whole, rows) = (0, 0, 0)
        for _ in 0..<(FaultSweep.isIntact ? 3000 : 150) {
            try TestFiles.write(pages.changed(&random), to: path)
            do {
                let damaged = try read(open())
                (rows, whole) = (rows + damaged, whole + (damaged == 0 ? 1 : 0))
            } catch let error as SessionStoreError {
                #expect(Self.expected.contains(error.kind), "\(seed): \(error)")
                refused += 1
            }
        }
        print("forged pages: \(refused) refused, \(rows) rows named, \(whole) read")
        #expect(refused > 0)
    }

    /// - Returns: how many rows were named as damaged.
    private func read(_ store: some SessionStore) throws -> Int {
        var damaged = 0
        func name(_ error: SessionStoreError) { damaged += 1 }
        for conversation in try store.conversations(damaged: name) {
            try store.forEachMessage(of: conversation.id, newest: nil, damaged: name) { message in
                damaged += message.problems.isEmpty ? 0 : 1
            }
            try store.forEachMessage(of: conversation.id, newest: 3, damaged: name) { _ in }
        }
        try store.forEachContact(damaged: name) { _ in }
        try store.forEachSeenMessage(damaged: name) { _ in }
        try store.forEachConfigDump { _, _ in }
        do { _ = try store.attachmentKey() } catch let error as SessionStoreError { name(error) }
        return damaged
    }
}
