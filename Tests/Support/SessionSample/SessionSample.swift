import SessionBuilders
import SystemPackage
import ValiseEncoding
import ValiseFiles

/// Writes a synthetic account of Session for benchmarks and for what opens its pages in a browser.
///
///     session-sample desktop|phone|backup PLACE MESSAGES SEED [MEDIA]
///
/// `desktop` is a profile, `phone` a folder of iOS, `backup` a `session.bak`. Beside the last two, PLACE.key is the key, or the
/// password. MEDIA is a folder of real files that take the place of random bytes. What it has is printed as JSON.
@main
struct SessionSample {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 5, let count = Int(arguments[3]), let seed = UInt64(arguments[4]) else {
            fatalError("usage: session-sample desktop|phone|backup PLACE MESSAGES SEED [MEDIA]")
        }
        var story = Story(seed: seed, messages: count, isWide: true)
        if arguments.count > 5 {
            let media = try RealMedia(FilePath(arguments[5]))
            story.replaceContents(media.content)
        }
        let place = FilePath(arguments[2])
        switch arguments[1] {
        case "desktop":
            var builder = DesktopBuilder()
            builder.seal = DesktopBuilder.encryption
            try builder.write(story, to: place)
        case "phone":
            try PhoneBuilder().write(story, to: place)
            try TestFiles.write(Hexadecimal.encode(PhoneBuilder.key), to: place.appendingSuffix(".key"))
        default:
            let folder = place.appendingSuffix(".files")
            try PhoneBuilder().write(story, to: folder)
            try TestFiles.write(BackupBuilder(packing: folder).bytes(), to: place)
            try FileSystem().removeTree(folder)
            try TestFiles.write(BackupBuilder.password, to: place.appendingSuffix(".key"))
        }
        print(summary(story))
    }

    private static func summary(_ story: Story) -> String {
        let files = story.messages.flatMap(\.shownFiles)
        let numbers: [(String, Int)] = [
            ("messages", story.messages.count),
            ("expired", story.messages.count { $0.kind == .expired }),
            ("items", story.messages.reduce(0) { $0 + max(1, $1.shownFiles.count) }),
            ("files", files.count), ("present", files.count(where: \.isThere)),
            ("bytes", files.filter(\.isThere).reduce(0) { $0 + $1.content.count }),
            ("rare", story.messages.count { $0.body?.contains(Story.rareWord) == true }),
        ]
        return JSONNode.object(numbers.map { .init($0.0, .number(String($0.1))) }).jsonText
    }
}

/// Real files by their types, each made another one by what follows its end.
private struct RealMedia {
    private var contents: [String: [UInt8]] = [:]
    private static let names = [
        "image/jpeg": "photo.jpg", "image/png": "picture.png", "video/mp4": "clip.mp4",
        "audio/aac": "voice.m4a", "application/pdf": "document.pdf",
    ]

    init(_ folder: FilePath) throws {
        for (type, name) in Self.names {
            contents[type] = try FileSystem().contents(of: folder.appending(name), limit: 1 << 24)
        }
    }

    func content(of file: StoryMessage.File) -> [UInt8] {
        guard let real = contents[file.type] else { return file.content }
        return file.type.hasPrefix("image/") ? real + Array(file.address.utf8) : real
    }
}
