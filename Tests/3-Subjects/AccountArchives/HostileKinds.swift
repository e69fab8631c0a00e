import Testing
import ValiseAccounts
import ValiseArchives
import ValiseFailures

/// One way to attack an import, or to damage an archive, and what must be said of it.
struct HostileKind: Sendable, CustomTestStringConvertible {
    enum Expected: Sendable, Equatable {
        case defect(ZipError.Defect)
        case failure(FailureCode)
    }

    let name: String
    let expected: Expected
    var limits = ZipLimits()
    let make: @Sendable () throws -> [UInt8]

    var testDescription: String { name }

    init(
        _ name: String, _ defect: ZipError.Defect, limits: ZipLimits = ZipLimits(),
        _ make: @escaping @Sendable () throws -> [UInt8]
    ) {
        self.name = name
        expected = .defect(defect)
        self.limits = limits
        self.make = make
    }

    init(_ name: String, _ code: FailureCode, _ make: @escaping @Sendable () throws -> [UInt8]) {
        self.name = name
        expected = .failure(code)
        self.make = make
    }

    /// A whole archive of an account, then the change.
    static func forged(
        _ name: String, _ defect: ZipError.Defect, limits: ZipLimits = ZipLimits(),
        _ change: @escaping @Sendable (inout ZipForge) -> Void
    ) -> HostileKind {
        HostileKind(name, defect, limits: limits) {
            var zip = try Forged.account()
            change(&zip)
            return zip.bytes
        }
    }

    /// A whole archive of an account with more entries.
    static func adding(
        _ name: String, _ defect: ZipError.Defect, limits: ZipLimits = ZipLimits(),
        _ entries: @autoclosure @escaping @Sendable () -> [ForgedEntry]
    ) -> HostileKind {
        forged(name, defect, limits: limits) { $0.entries += entries() }
    }

    /// An entry of this name more.
    static func named(_ name: String, _ defect: ZipError.Defect) -> HostileKind {
        adding("name \(name.debugDescription.prefix(40))", defect, [ForgedEntry(name, [1, 2, 3])])
    }

    /// One more media file, changed.
    static func media(
        _ name: String, _ defect: ZipError.Defect, limits: ZipLimits = ZipLimits(),
        _ change: @escaping @Sendable (inout ForgedEntry) -> Void
    ) -> HostileKind {
        adding(name, defect, limits: limits, [Forged.media.with(change)])
    }

    /// The chat database as a deflated entry, changed.
    static func chat(
        _ name: String, _ defect: ZipError.Defect, _ change: @escaping @Sendable (inout ForgedEntry) -> Void
    ) -> HostileKind {
        forged(name, defect) {
            $0.entries[0] = .deflated("simplex_v1_chat.db", $0.entries[0].packed).with(change)
        }
    }
}

/// Archives that the kinds start from.
enum Forged {
    static let media = ForgedEntry("simplex_v1_files/photo.jpg", Array("not really a photo".utf8))

    private static let databases = Result {
        let sample = try Sample.databases
        return AccountDatabase.allCases.map { ForgedEntry($0.archiveName, sample[$0]!) }
    }

    /// Both databases, stored; the chat database first.
    static func account() throws -> ZipForge { ZipForge(try databases.get()) }

    /// The databases with other content.
    static func account(chat: [UInt8], agent: [UInt8]) -> ZipForge {
        ZipForge([ForgedEntry("simplex_v1_chat.db", chat), ForgedEntry("simplex_v1_agent.db", agent)])
    }
}

extension HostileKind {
    static let all: [HostileKind] =
        container + truncations + ends + zip64 + directory + names + twins + kinds + packing + local + sizes
        + damage + accounts

    private static let container: [HostileKind] = [
        HostileKind("empty file", .emptyFile) { [] },
        HostileKind("one byte", .notAZip) { [0x50] },
        HostileKind("text", .notAZip) { [UInt8](repeating: 0x41, count: 4096) },
        HostileKind("a database in place of an archive", .notAZip) { try Sample.databases[.chat]! },
        HostileKind("a tar archive", .notAZip) {
            Array("simplex_v1_chat.db".utf8) + [UInt8](repeating: 0, count: 1024)
        },
        forged("end record missing", .endRecordMissing) { $0.end.isThere = false },
        forged("trailing bytes", .trailingBytes) { $0.suffix = [0, 0, 0] },
        forged("comment cut", .trailingBytes) {
            $0.end.comment = Array("comm".utf8)
            $0.end.commentLength = 7
        },
        forged("prefix bytes", .prefixBytes) { $0.prefix = Array("#!/bin/sh\n".utf8) },
        forged("another archive glued before", .prefixBytes) {
            $0.prefix = ZipForge([ForgedEntry("a", [1])]).bytes
        },
        forged("a second end record in the comment", .trailingBytes) {
            $0.end.comment = ForgedEnd().bytes(entries: 0, size: 0, offset: 0) + [0]
        },
        HostileKind("an end record alone", .damaged) { ZipForge([]).bytes },
    ]

    /// Cut at the end of every part.
    private static let truncations: [HostileKind] = (0..<13).map { index in
        HostileKind("truncated at boundary \(index)", .endRecordMissing) {
            let zip = try Forged.account()
            let boundaries = zip.boundaries
            return Array(zip.bytes[..<boundaries[index]])
        }
    }

    private static let ends: [HostileKind] = [
        forged("end record on another disk", .severalDisks) { $0.end.disk = 1 },
        forged("directory on another disk", .severalDisks) { $0.end.directoryDisk = 3 },
        forged("entries on other disks", .severalDisks) {
            $0.end.entriesHere = 1
            $0.end.entries = 2
        },
        media("entry on another disk", .severalDisks) { $0.disk = 2 },
        forged("one entry too many", .entryCount) { $0.end.entries = 3 },
        forged("one entry too few", .entryCount) { $0.end.entries = 1 },
        forged("no entries claimed", .entryCount) { $0.end.entries = 0 },
        forged("65,535 entries claimed", .entryCount) { $0.end.entries = 0xffff },
        forged("directory outside of the file", .directoryDamaged) { $0.end.offset = 0x7fff_ffff },
        forged("directory at 4 GiB without Zip64", .directoryDamaged) { $0.end.offset = .max },
        forged("directory larger than the file", .directoryDamaged) { $0.end.size = 0x7fff_ffff },
        forged("directory runs into the end record", .directoryOverlap) {
            let entries = $0.entries
            $0.end.offset = UInt32(entries.reduce(0) { $0 + $1.localBytes.count }) + 1
        },
        forged("directory too short", .prefixBytes) { $0.end.size = 46 },
        forged("directory offset too small", .prefixBytes) { $0.end.offset = 5 },
    ]

    private static func zip64End(
        _ name: String, _ defect: ZipError.Defect,
        _ change: @escaping @Sendable (inout ForgedZip64End) -> Void
    ) -> HostileKind {
        forged(name, defect) {
            var end = ForgedZip64End()
            change(&end)
            $0.zip64 = end
        }
    }

    private static let zip64: [HostileKind] = [
        zip64End("Zip64 record missing", .zip64) { $0.hasRecord = false },
        zip64End("Zip64 record too long", .zip64) { $0.length = 60 },
        zip64End("Zip64 record of absurd length", .zip64) { $0.length = .max },
        zip64End("Zip64 record outside", .zip64) { $0.locatorOffset = .max },
        zip64End("Zip64 record elsewhere", .zip64) { $0.locatorOffset = 0 },
        zip64End("Zip64 locator on another disk", .severalDisks) { $0.locatorDisk = 1 },
        zip64End("Zip64 of several disks", .severalDisks) { $0.locatorDisks = 2 },
        zip64End("Zip64 count contradicts", .zip64) { $0.entries = 1 },
        zip64End("Zip64 offset contradicts", .zip64) { $0.offset = 0 },
        zip64End("Zip64 size contradicts", .zip64) { $0.size = 92 },
        forged("2^60 entries", .entryCount) {
            $0.end.entries = 0xffff
            $0.zip64 = ForgedZip64End()
            $0.zip64?.entries = 1 << 60
        },
        forged("2^64 - 1 entries", .directoryDamaged) {
            $0.end.entries = 0xffff
            $0.zip64 = ForgedZip64End()
            $0.zip64?.entries = .max
        },
        forged("Zip64 directory at 2^63 - 1", .directoryDamaged) {
            $0.end.offset = .max
            $0.zip64 = ForgedZip64End()
            $0.zip64?.offset = UInt64(Int64.max)
        },
        media("Zip64 field too short", .zip64) {
            $0.central.size = .max
            $0.central.compressedSize = .max
            $0.central.extra = ExtraField.zip64(18)
        },
        media("Zip64 size beyond 2^63", .zip64) {
            $0.central.size = .max
            $0.central.extra = ExtraField.zip64(.max)
        },
        media("Zip64 field twice", .directoryDamaged) {
            $0.central.extra = ExtraField.zip64(18) + ExtraField.zip64(19)
        },
    ]

    private static let directory: [HostileKind] = [
        media("central signature wrong", .directoryDamaged) { $0.central.signature = 0x0201_4b51 },
        media("central name past the end", .directoryDamaged) { $0.central.nameLength = 0xfff0 },
        media("central extra past the end", .directoryDamaged) { $0.central.extraLength = 0xfff0 },
        media("central comment past the end", .directoryDamaged) { $0.commentLength = 100 },
        media("central extra field cut", .directoryDamaged) { $0.central.extra = [1, 0, 24, 0, 1, 2] },
        media("more than zeros behind the extra fields", .directoryDamaged) { $0.central.extra = [0, 0, 7] },
        media("more than zeros behind the local extra fields", .directoryDamaged) { $0.local.extra = [0xb8] },
        media("local extra field cut", .directoryDamaged) { $0.local.extra = [1, 0, 24, 0, 1, 2] },
    ]

    private static let names: [HostileKind] = [
        named("", .nameEmpty), named("/etc/passwd", .nameAbsolute), named("../evil", .nameParent),
        named("simplex_v1_files/../../evil", .nameParent), named("simplex_v1_files/..", .nameParent),
        named("..", .nameParent), named("./evil", .nameDot), named("simplex_v1_files/./evil", .nameDot),
        named("simplex_v1_files//evil", .nameEmptyComponent), named("..\\evil", .nameBackslash),
        named("simplex_v1_files/../\u{301}evil", .nameParent),
        named("simplex_v1_files/..\\..\\evil", .nameBackslash), named("C:\\evil", .nameBackslash),
        named("C:evil", .nameDrive), named("CON", .nameDevice), named("nul.txt", .nameDevice),
        named("COM1", .nameDevice), named("simplex_v1_files/aux.jpg", .nameDevice),
        named("simplex_v1_files/LPT³", .nameDevice), named("simplex_v1_files/con .jpg", .nameDevice),
        named("simplex_v1_files/a\u{1b}[31m", .nameControl), named("simplex_v1_files/a\nb", .nameControl),
        named("simplex_v1_files/photo.jpg\u{0}.exe", .nameControl),
        named("simplex_v1_files/a:stream", .nameReserved), named("simplex_v1_files/a*?.jpg", .nameReserved),
        named("simplex_v1_files/photo.jpg.", .nameTrailing), named("simplex_v1_files/photo ", .nameTrailing),
        named("simplex_v1_files/" + String(repeating: "a", count: 256), .nameTooLong),
        adding("name that is not UTF-8", .nameNotUTF8, [ForgedEntry(nameBytes: [0x61, 0xff, 0xfe])]),
        adding("name in overlong UTF-8", .nameNotUTF8, [ForgedEntry(nameBytes: [0xc0, 0xae, 0xc0, 0xae])]),
        media("another name in Info-ZIP's field", .nameTwin) {
            $0.both { $0.extra = ExtraField.unicodeName("../evil", for: $0.name) }
        },
        media("another name in the local Info-ZIP field", .nameTwin) {
            $0.local.extra = ExtraField.unicodeName("simplex_v1_files/other", for: $0.local.name)
        },
        media("two Info-ZIP names", .directoryDamaged) {
            $0.both {
                $0.extra =
                    ExtraField.unicodeName("evil", for: $0.name)
                    + ExtraField.unicodeName(String(decoding: $0.name, as: UTF8.self), for: $0.name)
            }
        },
    ]

    private static let twins: [HostileKind] = [
        adding("a name twice", .nameDuplicate, [Forged.media, Forged.media]),
        adding("a database twice", .nameDuplicate, [ForgedEntry("simplex_v1_chat.db", [1])]),
        adding(
            "a file and a folder of one name", .nameDuplicate,
            [
                Forged.media, ForgedEntry("simplex_v1_files/photo.jpg/"),
            ]),
        adding(
            "names equal but for case", .nameCase,
            [
                Forged.media, ForgedEntry("simplex_v1_files/PHOTO.jpg"),
            ]),
        adding("a database in capitals", .nameCase, [ForgedEntry("SIMPLEX_V1_CHAT.DB")]),
        adding(
            "names equal but for normal form", .nameCase,
            [
                ForgedEntry("simplex_v1_files/\u{e9}"), ForgedEntry("simplex_v1_files/e\u{301}"),
            ]),
        adding(
            "a file as another's folder", .nameFileAsFolder,
            [
                Forged.media, ForgedEntry("simplex_v1_files/photo.jpg/x"),
            ]),
        adding("a database as a folder", .nameFileAsFolder, [ForgedEntry("simplex_v1_chat.db/x")]),
        adding(
            "the media folder as a file", .nameFileAsFolder,
            [
                Forged.media, ForgedEntry("simplex_v1_files"),
            ]),
    ]

    private static let kinds: [HostileKind] = [
        media("symbolic link", .symbolicLink) { $0.attributes = 0o120777 << 16 },
        media("symbolic link by macOS", .symbolicLink) {
            $0.madeBy = 0x131e
            $0.attributes = 0o120777 << 16
        },
        media("character device", .specialFile) { $0.attributes = 0o020666 << 16 },
        media("block device", .specialFile) { $0.attributes = 0o060666 << 16 },
        media("pipe", .specialFile) { $0.attributes = 0o010666 << 16 },
        media("socket", .specialFile) { $0.attributes = 0o140666 << 16 },
        media("folder mode on a file", .specialFile) { $0.attributes = 0o040755 << 16 },
        media("DOS folder bit on a file", .specialFile) {
            $0.madeBy = 0x0014
            $0.attributes = 0x10
        },
        adding("a folder with data", .folderWithData, [ForgedEntry("simplex_v1_files/", [1, 2, 3])]),
    ]

    private static let packing: [HostileKind] = [
        media("encrypted", .encrypted) { $0.both { $0.flags |= 1 } },
        media("strong encryption", .encrypted) { $0.both { $0.flags |= 0x41 } },
        media("encrypted directory", .encrypted) { $0.both { $0.flags |= 0x2000 } },
        media("bzip2", .method) { $0.both { $0.method = 12 } },
        media("lzma", .method) { $0.both { $0.method = 14 } },
        media("zstd", .method) { $0.both { $0.method = 93 } },
        media("AES", .method) { $0.both { $0.method = 99 } },
        media("deflate64", .method) { $0.both { $0.method = 9 } },
        media("version 9.0 needed", .version) { $0.both { $0.versionNeeded = 90 } },
    ]

    private static let local: [HostileKind] = [
        media("local header missing", .localMissing) { $0.local.signature = 0 },
        media("local name other", .localName) { $0.local.name = Array("simplex_v1_files/phot0.jpg".utf8) },
        media("local name longer", .localName) { $0.local.name += [0x61] },
        media("local method other", .localMethod) { $0.local.method = 8 },
        media("local flags other", .localFlags) { $0.local.flags |= 1 },
        media("descriptor in the local header only", .localFlags) { $0.local.flags |= 8 },
        media("local size other", .localSizes) { $0.local.size += 1 },
        media("local packed size other", .localSizes) { $0.local.compressedSize -= 1 },
        media("local checksum other", .localSizes) { $0.local.checksum ^= 1 },
        media("local offset outside", .localOutside) { $0.offset = 0x7fff_0000 },
        forged("data run into the directory", .localOutside) {
            let grown = Forged.media.with {
                $0.both {
                    $0.size += 60
                    $0.compressedSize += 60
                }
            }
            $0.entries.append(grown)
        },
        adding(
            "descriptor with another checksum", .localSizes,
            [
                ForgedEntry.streamed("simplex_v1_files/a", [1, 2, 3]).with { $0.descriptor[4] ^= 1 }
            ]),
        adding(
            "descriptor missing", .localSizes,
            [
                ForgedEntry.streamed("simplex_v1_files/a", [1, 2, 3]).with { $0.descriptor = [] }
            ]),
        adding("two entries share one local header", .overlap, [sharing("simplex_v1_files/photo.jpg")]),
        quotedOverlap,
    ]

    /// A directory entry of the first local header of the file.
    private static func sharing(_ name: String) -> ForgedEntry {
        ForgedEntry(name, Array("not really a photo".utf8)).with {
            $0.hasLocal = false
            $0.offset = 0
        }
    }

    /// Fifield's way: the local header of the inner entry is data of the outer one.
    private static let quotedOverlap = forged("quoted overlap", .overlap) { zip in
        let inner = Forged.media
        let outer = ForgedEntry("simplex_v1_files/outer", inner.localBytes).with { $0.packed = [] }
        let before = zip.entries.reduce(0) { $0 + $1.localBytes.count }
        zip.entries += [outer, inner.with { $0.offset = UInt32(before + outer.localBytes.count) }]
    }

    private static let sizes: [HostileKind] = [
        adding(
            "10 GiB in 10 KiB", .ratio,
            [
                ForgedEntry.deflated("simplex_v1_files/bomb", [UInt8](repeating: 0, count: 10_240)).with {
                    $0.both {
                        $0.size = .max
                        $0.extra = ExtraField.zip64(10 << 30)
                    }
                }
            ]),
        adding(
            "4 GiB - 1 without Zip64", .ratio,
            [
                ForgedEntry.deflated("simplex_v1_files/bomb", [0, 0]).with { $0.both { $0.size = .max } }
            ]),
        adding(
            "stored, but with two sizes", .sizeMismatch,
            [
                Forged.media.with { $0.both { $0.size += 5 } }
            ]),
        adding(
            "more bytes than the limit", .totalSize, limits: ZipLimits(totalSize: 10_000_000),
            [
                ForgedEntry.deflated("simplex_v1_files/a", [0]).with { $0.both { $0.size = 12_000_000 } }
            ]),
        adding("more entries than the limit", .tooManyEntries, limits: ZipLimits(entries: 2), [Forged.media]),
        adding(
            "sizes that overflow", .totalSize,
            (0..<3).map { index in
                ForgedEntry("simplex_v1_files/\(index)").with {
                    $0.both {
                        $0.method = 8
                        $0.size = .max
                        $0.compressedSize = .max
                        $0.extra = ExtraField.zip64(1 << 62, 1 << 62)
                    }
                }
            }),
    ]

    private static let damage: [HostileKind] = [
        forged("wrong checksum of a database", .checksum) {
            $0.entries[1].both { $0.checksum ^= 0xffff }
        },
        chat("wrong checksum of a deflated database", .checksum) { $0.both { $0.checksum ^= 1 } },
        chat("a database unpacks to more", .sizeMismatch) {
            $0.both { $0.size -= 10 }
        },
        chat("a database unpacks to less", .sizeMismatch) {
            $0.both { $0.size += 10 }
        },
        chat("a database's deflate stream is damaged", .data) { $0.packed[0] = 7 },
        chat("a database's deflate stream is cut", .data) {
            $0.packed.removeLast($0.packed.count / 2)
            let count = UInt32($0.packed.count)
            $0.both { $0.compressedSize = count }
        },
        chat("bytes behind a database's deflate stream", .sizeMismatch) {
            $0.packed += [1, 2, 3, 4]
            let count = UInt32($0.packed.count)
            $0.both { $0.compressedSize = count }
        },
    ]

    private static let accounts: [HostileKind] = [
        HostileKind("no chat database", .damaged) { ZipForge([try Forged.account().entries[1]]).bytes },
        HostileKind("no agent database", .damaged) { ZipForge([try Forged.account().entries[0]]).bytes },
        HostileKind("a database in a folder", .damaged) {
            var zip = try Forged.account()
            zip.entries[0].both { $0.name = Array("sub/simplex_v1_chat.db".utf8) }
            return zip.bytes
        },
        HostileKind("a folder in place of a database", .damaged) {
            ZipForge([ForgedEntry("simplex_v1_chat.db/"), try Forged.account().entries[1]]).bytes
        },
        HostileKind("text in place of a database", .damaged) {
            let text = Array(String(repeating: "garbage ", count: 200).utf8)
            return Forged.account(chat: try Sample.databases[.chat]!, agent: text).bytes
        },
        HostileKind("an empty database", .damaged) {
            Forged.account(chat: [], agent: try Sample.databases[.agent]!).bytes
        },
        HostileKind("a header without a database", .damaged) {
            let header = Array("SQLite format 3\u{0}".utf8) + [UInt8](repeating: 0, count: 4080)
            return Forged.account(chat: header, agent: try Sample.databases[.agent]!).bytes
        },
        HostileKind("one database encrypted, the other plain", .unsupported) {
            Forged.account(
                chat: try Sample.encryptedDatabases[.chat]!, agent: try Sample.databases[.agent]!
            ).bytes
        },
    ]
}
