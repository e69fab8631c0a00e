import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles

@testable import ValiseSessionStore

/// Backups that somebody made to do harm, or that broke: each is refused with a typed error, and nothing is left anywhere.
struct HostileBackupTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: SessionStoreError.Kind
        let make: @Sendable () throws -> [UInt8]

        init(
            _ name: String, _ kind: SessionStoreError.Kind = .damaged,
            _ make: @escaping @Sendable () throws -> [UInt8]
        ) {
            testDescription = name
            self.kind = kind
            self.make = make
        }
    }

    /// With one file more, before the others.
    private static func adding(_ files: BackupBuilder.File...) throws -> [UInt8] {
        var builder = try SampleBackup.builder()
        builder.files.insert(contentsOf: files, at: 0)
        return try builder.bytes()
    }

    private static func path(_ path: String, _ name: String) -> Case {
        Case("path \(name)") { try adding(BackupBuilder.File(path, [1, 2, 3])) }
    }

    private static func changed(_ change: (inout BackupBuilder) -> Void) throws -> [UInt8] {
        var builder = try SampleBackup.builder()
        change(&builder)
        return try builder.bytes()
    }

    private static func frames(_ change: (inout [BackupBuilder.Frame]) -> Void) throws -> [UInt8] {
        var frames = try SampleBackup.builder().frames
        change(&frames)
        return try BackupBuilder.encode(frames)
    }

    private static func raw(_ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
        var bytes = try SampleBackup.builder().bytes()
        change(&bytes)
        return bytes
    }

    static let paths: [Case] = [
        path("../evil", "above"), path("a/../../evil", "above, hidden"), path("..", "parent alone"),
        path("/etc/evil", "absolute"), path("//evil", "absolute twice"), path("a//b", "empty name"),
        path("a/", "empty name at the end"), path("", "empty"), path(".", "dot"), path("./a", "dot before"),
        path("a/./b", "dot inside"), path("a\0b", "NUL"), path("a\nb", "line break"),
        path("a\u{7f}b", "delete character"), path("..\\evil", "backslash"),
        path("C:\\evil", "drive"), path(String(repeating: "n", count: 256), "long name"),
        path(String(repeating: "a/", count: 33) + "b", "too deep"),
        path(".valise-extraction.partial", "reserved"), path("_extra/other", "extra without the flag"),
        path("Attachments", "file in place of a folder"),
        Case("path twice") {
            try adding(BackupBuilder.File("twice", [1]), BackupBuilder.File("twice", [2]))
        },
        Case("path below a file") {
            try adding(BackupBuilder.File("a", [1]), BackupBuilder.File("a/b", [2]))
        },
        Case("path above files") {
            try adding(BackupBuilder.File("a/b", [1]), BackupBuilder.File("a", [2]))
        },
        Case("path is no UTF-8") {
            var file = BackupBuilder.File("", [1])
            file.path = [0x61, 0xff, 0xfe]
            return try adding(file)
        },
        Case("path longer than its description") {
            var file = BackupBuilder.File("abc", [1])
            file.pathLength = 4000
            return try adding(file)
        },
        Case("path of the largest length") {
            var file = BackupBuilder.File("abc", [1])
            file.pathLength = .max
            return try adding(file)
        },
        Case("path of length zero before its bytes") {
            var file = BackupBuilder.File("abc", [1])
            file.pathLength = 0
            return try adding(file)
        },
        Case("path longer than systems take") {
            try adding(
                BackupBuilder.File(
                    (0..<10).map { _ in String(repeating: "n", count: 120) }.joined(separator: "/"), [1]))
        },
        Case("an extra file outside of its folder") {
            try adding(BackupBuilder.File("elsewhere", [1], isExtra: true))
        },
        Case("an extra file above its folder") {
            try adding(BackupBuilder.File("_extra/../../evil", [1], isExtra: true))
        },
        Case("a flag of two") {
            var file = BackupBuilder.File("abc", [1])
            file.flag = 2
            return try adding(file)
        },
        Case("bytes behind a description") {
            var file = BackupBuilder.File("abc", [1])
            file.trailing = [0]
            return try adding(file)
        },
    ]

    static let numbers: [Case] = [
        Case("version 2", .newer) { try changed { $0.version = BackupBuilder.little(UInt32(2)) } },
        Case("version 0", .unsupported) { try changed { $0.version = BackupBuilder.little(UInt32(0)) } },
        Case("the largest version", .newer) { try changed { $0.version = BackupBuilder.little(UInt32.max) } },
        Case("a version of two bytes") { try changed { $0.version = [1, 0] } },
        Case("a version of eight bytes") { try changed { $0.version = BackupBuilder.little(UInt64(1)) } },
        Case("more files than there are") { try changed { $0.counts = (4, 1) } },
        Case("fewer files than there are") { try changed { $0.counts = (2, 1) } },
        Case("no files") { try changed { $0.counts = (0, 0) } },
        Case("extra files counted as others") { try changed { $0.counts = (4, 0) } },
        Case("others counted as extra files") { try changed { $0.counts = (0, 4) } },
        Case("four thousand million files", .unsupported) { try changed { $0.counts = (.max, .max) } },
        Case("a size larger than the backup") { try changed { $0.files[0].size = 1 << 40 } },
        Case("the largest size") { try changed { $0.files[0].size = .max } },
        Case("a size that is negative where signed") { try changed { $0.files[0].size = 1 << 63 } },
        Case("a size smaller than the content") { try changed { $0.files[0].size = 100 } },
        Case("a size of zero before a content") { try changed { $0.files[1].size = 0 } },
        Case("a size larger than the content") { try changed { $0.files[1].size = 12_000 } },
        Case("a frame of content without content") {
            try frames { $0.insert(BackupBuilder.Frame(width: 4, plaintext: []), at: 3) }
        },
        Case("a frame of content that is too large") { try changed { $0.files[1].chunk = 5000 } },
        Case("a length shorter than a nonce") { try frames { $0[2].length = 5 } },
        Case("a length of zero") { try frames { $0[3].length = 0 } },
        Case("the largest length") { try frames { $0[2].length = .max } },
        Case("the largest length of content") { try frames { $0[3].length = 0xffff_ffff } },
        Case("a length of two gigabytes") { try frames { $0[2].length = 1 << 31 } },
    ]

    static let orders: [Case] = [
        Case("two descriptions change places") {
            try frames { frames in
                let places = frames.indices.filter { frames[$0].width == 8 }
                frames.swapAt(places[1], places[2])
            }
        },
        Case("a frame of content is left out") { try frames { _ = $0.remove(at: 4) } },
        Case("a description is left out") { try frames { _ = $0.remove(at: 2) } },
        Case("a frame of content comes twice") { try frames { $0.insert($0[3], at: 3) } },
        Case("a frame follows the last file") {
            try frames { $0.append(BackupBuilder.Frame(width: 4, plaintext: [1])) }
        },
        Case("a byte follows the last file") { try raw { $0.append(0) } },
        Case("the counts are left out") { try frames { _ = $0.remove(at: 1) } },
        Case("nothing but the version") { try frames { $0.removeLast($0.count - 1) } },
        Case("nothing but version and counts") { try frames { $0.removeLast($0.count - 2) } },
        Case("an empty file") { [] },
        Case("one byte") { [0x20] },
        Case("half of the version") { try raw { $0.removeLast($0.count - 16) } },
        Case("the last byte is missing") { try raw { $0.removeLast() } },
        Case("the last file is missing") { try raw { $0.removeLast(140) } },
        Case("a bit of the version", .wrongKey) { try raw { $0[20] ^= 1 } },
        Case("a bit of the counts") { try raw { $0[50] ^= 0x80 } },
        Case("a bit of a description") { try raw { $0[110] ^= 2 } },
        Case("a bit of the last tag") { try raw { $0[$0.count - 1] ^= 1 } },
        Case("another password within", .damaged) {
            let (own, other) = (try SampleBackup.builder(), try SampleBackup.builder().frames)
            return try BackupBuilder.encode(Array(own.frames.prefix(2)))
                + BackupBuilder.encode(Array(other.dropFirst(2)), password: "another password")
        },
    ]

    @Test func `there are enough of them`() {
        #expect(Self.paths.count + Self.numbers.count + Self.orders.count >= 60)
    }

    @Test(arguments: paths + numbers + orders) func `it is refused, and leaves nothing`(_ given: Case) throws
    {
        let bytes = try given.make()
        let folder = try TemporaryFolder(inMemory: true)
        let target = folder.appending("below").appending("out")
        try FileSystem().makeDirectory(folder.appending("below"))
        let password = try StoreVectors.secret(BackupBuilder.password)
        let error = #expect(throws: SessionStoreError.self) {
            try SessionBackup(BytesSource(bytes), password: password).extract(into: target)
        }
        #expect(error?.kind == given.kind, "\(error as Any)")
        #expect(error?.subject == "session.bak")
        #expect(try TemporaryFolder.contents(of: folder.path).keys.sorted() == ["below/"])
        #expect(throws: SessionStoreError.self) {
            try SessionBackup(BytesSource(bytes), password: password).verify()
        }
    }

    @Test func `any change of a bit and any end is refused or changes nothing`() throws {
        let intact = try SampleBackup.builder().bytes()
        let password = try StoreVectors.secret(BackupBuilder.password)
        let seed = UInt64.random(in: 0...999_999)
        print("hostile backups: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            var bytes = intact
            if Bool.random(using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
            } else {
                bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
            }
            #expect(throws: SessionStoreError.self) {
                try SessionBackup(BytesSource(bytes), password: password).verify()
            }
        }
    }
}
