import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// `valise media plan`.
struct MediaPlanTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws { folder = try TemporaryFolder() }

    private static let media = Repository.url("Sources/3-Subjects/SampleAccounts/Media")

    private func sample(_ name: String) -> String { Self.media.appending(path: name).path }

    private func plan(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(Program.valise, ["media", "plan"] + arguments)
    }

    private func entries(_ outcome: Program.Outcome) throws -> [[String: Any]] {
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect(object?["type"] as? String == "mediaPlan")
        return try #require(object?["files"] as? [[String: Any]])
    }

    /// A file with this head and, behind it, nothing that takes room on the disk.
    private func file(_ name: String, _ head: [UInt8] = [], size: UInt64) throws -> String {
        let path = folder.appending(name)
        try fileSystem.replace(path, with: head)
        let handle = try #require(FileHandle(forWritingAtPath: path.string))
        try handle.truncate(atOffset: size)
        try handle.close()
        return path.string
    }

    @Test func `sample files: kind, way and chunks`() throws {
        let outcome = try plan(
            sample("photo.jpg"), sample("clip.mp4"), sample("voice.m4a"), sample("note.txt"), "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let files = try entries(outcome)
        #expect(files.map { $0["kind"] as? String } == ["image", "video", "voice", "file"])
        #expect(files.map { $0["route"] as? String } == ["inline", "xftp", "xftp", "xftp"])
        #expect(files.map { $0["receivedUnasked"] as? Bool } == [true, true, true, false])
        #expect(files.map { $0["encryptedSize"] as? Int } == [nil, 65_536, 65_536, 65_536])
        #expect(files.map { $0["duration"] as? Double } == [nil, 1, 2, nil])
        #expect(files[1]["chunks"] as? [[String: Int]] == [["size": 65_536, "count": 1]])
    }

    @Test func `lines for a user`() throws {
        let path = try file("big.bin", size: 17_825_000)
        let outcome = try plan(path)
        #expect(
            outcome.output == """
                \(path): file, 17.8 MB
                  XFTP, the recipient must accept: files of up to 1.1 GB are sent over XFTP
                  chunks: 4 x 4.2 MB + 1 x 1.0 MB, 17.8 MB encrypted

                """)
        #expect(outcome.status == 0)
    }

    @Test func `a file that is too large is refused, with what can be done`() throws {
        let large = try file("large.bin", size: 1_073_741_825)
        #expect(try plan(large).output.contains("refused: larger than the chat limit of 1.1 GB"))
        let files = try entries(try plan(large, "--json"))
        #expect(files[0]["possibleByLink"] as? Bool == true)
        #expect(files[0]["reason"] as? String == "aboveChatLimit")
        #expect(
            try entries(try plan(large, "--protocol", "smp", "--json"))[0]["reason"] as? String
                == "aboveMessageLimit")
        #expect(try plan(large, "--protocol", "local").output.contains("  local: "))
        #expect(try plan(large, "--protocol", "pigeon").status == 64)
    }

    @Test func `the content counts before the name, and --type before both`() throws {
        let png = try file("picture.mp4", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], size: 300_000)
        #expect(try entries(try plan(png, "--json"))[0]["kind"] as? String == "image")
        #expect(try entries(try plan(png, "--json", "--type", "file"))[0]["kind"] as? String == "file")
        // What a phone records has the brand of films.
        var recording = Array(try Data(contentsOf: URL(filePath: sample("voice.m4a"))))
        recording.replaceSubrange(8..<12, with: Array("mp42".utf8))
        let renamed = try file("recording.mp4", recording, size: UInt64(recording.count))
        let found = try entries(try plan(renamed, "--json"))[0]
        #expect(found["kind"] as? String == "voice" && found["format"] as? String == "mp4")
    }

    @Test func `a recording that is too long, and one that is cut off`() throws {
        var recording = Array(try Data(contentsOf: URL(filePath: sample("voice.m4a"))))
        let mark = try #require(
            recording.indices.first { recording[$0...].starts(with: Array("mvhd".utf8)) })
        // The duration, behind mark, version, times and units.
        recording.replaceSubrange(mark + 20..<mark + 24, with: [0, 0x10, 0, 0])
        let long = try file("long.m4a", recording, size: UInt64(recording.count))
        #expect(try plan(long).output.contains("refused: a voice message lasts at most 300 s"))
        let cut = try file("cut.m4a", recording, size: 2000)
        let outcome = try plan(cut)
        #expect(
            outcome.status == 0 && outcome.output.contains("note: not a complete MP4"), "\(outcome.output)")
    }

    @Test func `missing files and folders do not stop the others`() throws {
        let missing = folder.appending("none.jpg").string
        let outcome = try plan(missing, sample("photo.jpg"), folder.path.string, "--json")
        #expect(outcome.status == 3)
        #expect(try entries(outcome).count == 1)
        #expect(outcome.output.contains("\"failures\":[{\"code\":\"notFound\""))
        let text = try plan(missing, sample("photo.jpg"))
        #expect(text.status == 3 && text.errors.contains(missing) && text.output.contains("inline"))
        #expect(try plan(missing).status == 10)
        #expect(try plan(folder.path.string).status == 10)
        #expect(try plan().status == 64)
    }

    @Test func `links are followed, and keep their name`() throws {
        let link = folder.appending("link.bin").string
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: sample("photo.jpg"))
        let found = try entries(try plan(link, "--json"))[0]
        #expect(found["kind"] as? String == "image" && found["path"] as? String == link)
        let loop = folder.appending("loop").string
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        #expect(try plan(loop).status != 0)
        let fifo = folder.appending("pipe").string
        #expect(mkfifo(fifo, 0o600) == 0)
        #expect(try plan(fifo).status == 10)
    }
}
