import FaultInjection
import Foundation
import Synchronization
import SystemPackage
import TestPeers
import Testing
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMediaRules

@testable import ValiseComposition

/// The other program that reads and writes pictures.
private enum Pillow {
    static let python = OtherProgram.python(with: "PIL")
}

/// The built program, which reads each picture in a process of its own: a fault of libvips would end the tests.
private enum Reader {
    private static let program = Repository.program("valise").path
    static let isThere = OtherProgram.areAllowed && FileManager.default.isExecutableFile(atPath: program)
    static let preparer = PicturePreparer(command: [program, "prepare-picture"])
}

/// Pictures that Pillow made, and what it sees in what becomes of them.
@Suite(.enabled(if: Pillow.python != nil && Reader.isThere)) struct PictureTests {
    private static let script = Repository.beside("Fixtures/pictures.py").path

    private struct Seen: Decodable {
        let format: String
        let mode: String
        let width: Int
        let height: Int
        let isRed: Bool
        let metadata: [String]
    }

    private static let making = Mutex(())
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("valise-pictures", inMemory: true)
        let made = folder.appending("made")
        // All tests begin at once, and one makes them for all.
        try Self.making.withLock { _ in
            try PreparedFolder.place("pictures", at: made) { place in
                try FileSystem().makeDirectory(place)
                let outcome = try #require(Pillow.python).run([Self.script, "make", place.string])
                #expect(outcome.status == 0, "\(outcome.output)")
            }
        }
    }

    private func read(_ name: String) throws -> PreparedPicture {
        let path = folder.appending("made").appending(name)
        let file = try FileDescriptor.open(path, .readOnly)
        defer { try? file.close() }
        let size = try #require(try FileSystem().attributes(of: path)).size
        return try Reader.preparer.prepare(file, size: size, wantsFile: true)
    }

    private func file(_ picture: PreparedPicture) throws -> PreparedPicture.File {
        try #require(picture.file)
    }

    private func look(_ bytes: [UInt8]) throws -> Seen {
        let path = folder.appending("seen")
        try FileSystem().replace(path, with: bytes)
        let outcome = try #require(Pillow.python).outcome(of: [Self.script, "look", path.string])
        return try JSONDecoder().decode(Seen.self, from: Data(outcome.output))
    }

    private func look(preview: String) throws -> Seen {
        let prefix = "data:image/jpg;base64,"
        #expect(preview.hasPrefix(prefix) && preview.utf8.count <= MessageLimits.previewCharacters)
        return try look(Array(try #require(Data(base64Encoded: String(preview.dropFirst(prefix.count))))))
    }

    @Test(arguments: ["photo.jpg", "progressive.jpg", "photo.webp", "cmyk.jpg", "gray.jpg"])
    func `a picture becomes upright, small enough and silent`(name: String) throws {
        let picture = try read(name)
        // 2400 wide and 1600 high, once it is upright.
        #expect((picture.width, picture.height) == (2400, 1600) && !picture.isAnimated)
        let file = try self.file(picture)
        let (bytes, suffix) = (file.bytes, file.suffix)
        #expect(bytes.count <= MediaLimits.inlineImage && suffix == "jpg")
        // As good as the limit allows.
        #expect(Int64(bytes.count) > MediaLimits.inlineImage / 2)
        let seen = try look(bytes)
        #expect(seen.format == "JPEG" && seen.metadata.isEmpty, "\(seen)")
        #expect(seen.isRed != (name == "gray.jpg") && abs(seen.width * 2 - seen.height * 3) < 6, "\(seen)")
        for word in ["Secret camera", "secret words"] { #expect(!Self.has(bytes, word)) }
        let preview = try look(preview: picture.preview)
        #expect(preview.isRed != (name == "gray.jpg") && preview.metadata.isEmpty && preview.width > 100)
    }

    private static func has(_ bytes: [UInt8], _ word: String) -> Bool {
        bytes.firstRange(of: Array(word.utf8)) != nil
    }

    @Test func `a picture that is small keeps its size`() throws {
        let seen = try look(file(read("small.png")).bytes)
        #expect((seen.width, seen.height) == (800, 533))
        let dot = try look(file(read("dot.png")).bytes)
        #expect((dot.width, dot.height) == (1, 1) && dot.isRed)
    }

    @Test func `a transparent picture stays so, and its preview is on white`() throws {
        let picture = try read("transparent.png")
        let file = try self.file(picture)
        let (bytes, suffix) = (file.bytes, file.suffix)
        let seen = try look(bytes)
        #expect(suffix == "png" && seen.format == "PNG" && seen.mode == "RGBA")
        #expect(bytes.count <= MediaLimits.inlineImage)
        #expect(try look(preview: picture.preview).format == "JPEG")
    }

    @Test func `extreme forms are read`() throws {
        let animation = try read("animation.gif")
        #expect(animation.isAnimated && animation.file == nil)
        let ribbon = try look(preview: read("ribbon.png").preview)
        #expect(ribbon.width >= 1 && ribbon.height > 100)
    }

    @Test(arguments: [
        "cut-photo.jpg", "cut-small.png", "cut-photo.webp", "scans.jpg", "drawing.jpg", "empty.jpg",
    ])
    func `what is no whole picture is refused`(name: String) throws {
        let error = try #require(throws: MediaRulesError.self) { try read(name) }
        let code = error.code
        // The file with many scans has too few bytes for its pixels too.
        #expect(code == .damaged || name == "scans.jpg" && code == .unsupported, "\(name): \(error)")
    }

    @Test(arguments: ["bomb.png", "interlaced-bomb.png", "progressive-bomb.jpg"])
    func `a picture that claims more than its file can have is refused before it is read`(name: String) throws
    {
        let error = try #require(throws: MediaRulesError.self) { try read(name) }
        #expect(error.code == .unsupported && error.message.contains(" x "), "\(error)")
    }

    @Test func `a picture that takes too long ends`() throws {
        let path = folder.appending("made/photo.webp")
        let bytes = try FileSystem().contents(of: path, limit: 1 << 26)
        var limits = PictureLimits(fileSize: Int64(bytes.count))
        limits.milliseconds = 0
        let error = try #require(throws: MediaRulesError.self) { try Picture(bytes, limits: limits) }
        #expect(error.code == .failed && error.message.contains("longer than"), "\(error)")
    }

    @Test(arguments: [1, 2, .random(in: 3 ... .max)])
    func `every piece of a picture ends in an error or a picture`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let names = ["small.png", "animation.gif", "cut-photo.webp"]
        for round in 0..<12 {
            let path = folder.appending("made").appending(names[round % names.count])
            var bytes = try FileSystem().contents(of: path, limit: 1 << 26)
            if bytes.count > 20_000 { bytes.removeLast(bytes.count - 20_000) }
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            do {
                let length = try Reader.preparer.prepare(bytes).preview.utf8.count
                #expect(length <= MessageLimits.previewCharacters, "seed \(seed), round \(round)")
            } catch is MediaRulesError {
                continue
            }
        }
    }

    @Test func `a reader that ends in the middle is an error of the picture`() throws {
        for program in [["/bin/false"], ["/bin/echo", "words"], ["/bin/sh", "-c", "kill -9 $$"]] {
            let error = try #require(throws: MediaRulesError.self) {
                try PicturePreparer(command: program).prepare([1, 2, 3])
            }
            #expect(error.code == .damaged && error.message.contains("stopped in the middle"), "\(error)")
        }
        let error = try #require(throws: MediaRulesError.self) {
            try PicturePreparer(command: ["/nowhere/none"]).prepare([1])
        }
        #expect(error.code == .failed)
    }

    @Test func `a library that cannot be loaded is named`() throws {
        let error = try #require(throws: MediaRulesError.self) {
            try PictureLibrary.attempt("libvalise-none.so.1")
        }
        #expect(error.code == .failed && error.remedy == .installLibvips)
        #expect(error.message.hasPrefix("cannot load libvips, which prepares pictures: "))
        #expect(throws: MediaRulesError.self) { try PictureLibrary.attempt("libz.so.1") }
        #expect(try PictureLibrary.version().hasPrefix("8."))
    }
}

/// Films and sounds that ffmpeg made.
@Suite(.enabled(if: OtherProgram.isThere("ffmpeg", "ffprobe") && Reader.isThere)) struct FilmToolTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("valise-films", inMemory: true) }

    private func make(_ name: String, _ arguments: [String]) throws -> FilePath {
        let path = folder.appending(name)
        let outcome = try #require(OtherProgram("ffmpeg")).run(["-v", "error"] + arguments + [path.string])
        #expect(outcome.status == 0, "\(outcome.output)")
        return path
    }

    private func film(_ name: String) throws -> FilePath {
        try make(name, ["-f", "lavfi", "-i", "color=red:size=320x180:rate=10:duration=2", "-c:v", "mpeg4"])
    }

    @Test func `a film has a poster, its size and its length`() throws {
        for (name, format) in [("a b'.mp4", MediaFormat.mp4), ("-c.mkv", .matroska), ("d.avi", .avi)] {
            let poster = try FilmTool.poster(of: film(name), format, by: Reader.preparer)
            #expect((poster.picture.width, poster.picture.height) == (320, 180), "\(name)")
            #expect(abs(try #require(poster.seconds) - 2) < 0.2)
            #expect(poster.picture.preview.utf8.count < MessageLimits.previewCharacters)
        }
    }

    @Test func `what is no film is refused, and no list of files is followed`() throws {
        let list = folder.appending("list.mp4")
        try FileSystem().replace(list, with: Array("#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n".utf8))
        for (path, format) in [(list, MediaFormat.mp4), (folder.appending("none.mp4"), .mp4)] {
            let error = try #require(throws: MediaRulesError.self) {
                try FilmTool.poster(of: path, format, by: Reader.preparer)
            }
            #expect(error.code == .damaged && error.subject == path.string)
        }
        #expect(throws: MediaRulesError.self) { try FilmTool.poster(of: list, .pdf, by: Reader.preparer) }
    }

    @Test func `a waveform rises with the sound`() throws {
        let sound = "aevalsrc=sin(880*PI*t)*t/4:duration=4"
        let path = try make("voice.m4a", ["-f", "lavfi", "-i", sound, "-c:a", "aac"])
        let waveform = try FilmTool.waveform(of: path, .m4a, count: 8)
        #expect(waveform.count == 8 && waveform == waveform.sorted() && waveform[0] < 25 && waveform[7] > 80)
        #expect(throws: MediaRulesError.self) { try FilmTool.waveform(of: film("silent.mp4"), .mp4) }
    }

    @Test func `a checkpoint ends it`() throws {
        struct Stop: Error {}
        let path = try film("stopped.mp4")
        #expect(throws: Stop.self) {
            try FilmTool.poster(of: path, .mp4, by: Reader.preparer) { throw Stop() }
        }
    }
}

/// What needs no other program.
struct WaveformTests {
    @Test func `the loudest moment of each part counts`() {
        func sound(_ samples: [Int16]) -> [UInt8] {
            samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        }
        #expect(FilmTool.peaks(sound([0, 0, .max, 0, .min, 0, 0, 3277]), count: 4) == [0, 100, 100, 10])
        #expect(FilmTool.peaks(sound([1, 2]), count: 100).count == 2)
        #expect(FilmTool.peaks([1], count: 100) == [] && FilmTool.peaks([], count: 100) == [])
    }
}
