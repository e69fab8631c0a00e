import FaultInjection
import Foundation
import TestPeers
import Testing
import ValiseMediaRules

struct MediaSignatureTests {
    private static func bytes(_ parts: Any...) -> [UInt8] {
        parts.flatMap { part in
            if let text = part as? String { return Array(text.utf8) }
            return (part as? [Int])?.map { UInt8($0) } ?? []
        }
    }

    private static func boxes(_ brand: String, _ others: String = "") -> [UInt8] {
        bytes([0, 0, 0, 16 + others.utf8.count], "ftyp", brand, [0, 0, 0, 0], others)
    }

    private static let heads: [(MediaFormat, [UInt8])] = [
        (.jpeg, bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], "JFIF")), (.jpeg, bytes([0xff, 0xd8, 0xff, 0xe1])),
        (.jpeg, bytes([0xff, 0xd8, 0xff, 0xdb])), (.png, bytes([0x89], "PNG\r\n", [0x1a, 10])),
        (.gif, bytes("GIF89a")), (.gif, bytes("GIF87a")),
        (.webp, bytes("RIFF", [1, 2, 3, 4], "WEBPVP8 ")), (.heic, boxes("heic", "mif1heic")),
        (.heic, boxes("mif1", "heic")), (.avif, boxes("avif", "mif1")), (.avif, boxes("mif1", "miafavif")),
        (.bmp, bytes("BM", [70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0])),
        (.tiff, bytes("II*", [0])), (.jpegXL, bytes([0, 0, 0, 12], "JXL ", [13, 10, 0x87, 10])),
        (.mp4, boxes("isom", "isomiso2avc1mp41")), (.mp4, boxes("mp42")), (.mp4, boxes("3gp4")),
        (.quickTime, boxes("qt  ")), (.m4a, boxes("M4A ", "isom")),
        (.webm, bytes([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x86, 0x81, 1], [0x42, 0x82, 0x84], "webm")),
        (.matroska, bytes([0x1a, 0x45, 0xdf, 0xa3, 0xa3, 0x42, 0x82, 0x88], "matroska")),
        (.avi, bytes("RIFF", [1, 2, 3, 4], "AVI LIST")), (.wav, bytes("RIFF", [1, 2, 3, 4], "WAVEfmt ")),
        (.mp3, bytes("ID3", [4, 0, 0])), (.mp3, bytes([0xff, 0xfb, 0x90, 0x64])),
        (.ogg, bytes("OggS", [0, 2])), (.flac, bytes("fLaC")), (.amr, bytes("#!AMR\n")),
        (.pdf, bytes("%PDF-1.7")), (.zip, bytes("PK", [3, 4])), (.zip, bytes("PK", [5, 6])),
        (.gzip, bytes([0x1f, 0x8b, 8, 0])), (.bzip2, bytes("BZh9", [0x31, 0x41, 0x59, 0x26, 0x53, 0x59])),
        (.xz, bytes([0xfd], "7zXZ", [0])), (.zstandard, bytes([0x28, 0xb5, 0x2f, 0xfd])),
        (.sevenZip, bytes("7z", [0xbc, 0xaf, 0x27, 0x1c])), (.rar, bytes("Rar!", [0x1a, 7, 1, 0])),
        (.rtf, bytes("{\\rtf1")), (.compoundFile, bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])),
        (.sqlite, bytes("SQLite format 3", [0])),
    ]

    @Test func `every format is known by its head, and not by half of it`() {
        #expect(Set(Self.heads.map(\.0)) == Set(MediaFormat.allCases))
        for (format, head) in Self.heads {
            #expect(MediaSignature(head: head)?.format == format)
            #expect(MediaSignature(head: head + [UInt8](repeating: 0xaa, count: 900))?.format == format)
            #expect(MediaSignature(head: Array(head.prefix(2))) == nil, "\(format)")
        }
        #expect(MediaSignature(head: []) == nil)
    }

    @Test(arguments: [
        ("photo.jpg", MediaFormat.jpeg, MediaKind.image), ("picture.png", .png, .image),
        ("clip.mp4", .mp4, .video), ("voice.m4a", .m4a, .voice), ("document.pdf", .pdf, .file),
    ])
    func `sample files`(_ name: String, _ format: MediaFormat, _ kind: MediaKind) throws {
        let signature = try #require(MediaSignature(head: Array(SampleFile.bytes(name).prefix(64))))
        #expect(signature.format == format && signature.kind == kind)
        #expect(try !MediaSignature.looksLikeText(Array(SampleFile.bytes(name))) || format == .pdf)
    }

    @Test func `noise is seldom taken for anything, and never for text`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var (hits, pictures) = (0, 0)
        for _ in 0..<100_000 {
            let head = (0..<8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
            if let signature = MediaSignature(head: head) {
                hits += 1
                if signature.kind != .file { pictures += 1 }
            }
            #expect(!MediaSignature.looksLikeText(head), "seed \(seed)")
        }
        #expect(hits <= 20 && pictures <= 1, "\(hits), \(pictures), seed \(seed)")
    }

    @Test func `text`() throws {
        #expect(try MediaSignature.looksLikeText(SampleFile.bytes("note.txt")))
        #expect(MediaSignature.looksLikeText([]))
        #expect(MediaSignature.looksLikeText(Array("\u{feff}a\tb\r\n".utf8)))
        for control in [0, 1, 8, 11, 12, 27, 31, 127] as [UInt8] {
            #expect(!MediaSignature.looksLikeText([97, control]))
        }
        #expect(!MediaSignature.looksLikeText([0xc2, 0x85]))
        // Half of a pair of UTF-16: complete, and no character.
        #expect(!MediaSignature.looksLikeText([97, 0xed, 0xa0, 0x80]))
        for text in ["aé", "a日", "a🔒"] {
            let bytes = Array(text.utf8)
            for count in 1...bytes.count { #expect(MediaSignature.looksLikeText(Array(bytes.prefix(count)))) }
            // Cut off at the beginning, or going on wrongly, it is none.
            #expect(!MediaSignature.looksLikeText(Array(bytes.dropFirst(2))))
            #expect(!MediaSignature.looksLikeText(bytes.dropLast() + [97]))
        }
    }

    @Test func `the kind: the head before the name, and a recorder's MP4 by its name`() {
        let png = MediaSignature(head: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        #expect(MediaKind(png, fileName: "a.mp4") == .image)
        #expect(MediaKind(MediaSignature(head: Array("PK\u{3}\u{4}".utf8)), fileName: "a.jpg") == .file)
        #expect(MediaKind(nil, fileName: "a.JPG") == .image)
        let mp4 = MediaSignature(head: Self.boxes("mp42"))
        #expect(MediaKind(mp4, fileName: "voice.m4a") == .voice)
        #expect(MediaKind(mp4, fileName: "voice") == .video)
    }
}

/// The media of the sample account.
enum SampleFile {
    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Repository.url("Sources/3-Subjects/SampleAccounts/Media/\(name)")))
    }
}
