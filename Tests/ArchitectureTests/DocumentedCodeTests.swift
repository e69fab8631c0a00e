import Foundation
import Testing

/// Code that documents show is code that is compiled: of this package, or of the program in Tests/Consumer.
struct DocumentedCodeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Without what differs where a piece is shown on its own: how far it is indented.
    private static func lines(_ text: some StringProtocol) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    private static func files(_ folder: String, _ type: String) throws -> [URL] {
        let files = try #require(
            FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil))
        return files.compactMap { $0 as? URL }.filter {
            $0.pathExtension == type && !$0.path.contains("/.build/")
        }
    }

    @Test func `Swift in the README and in articles is part of a source`() throws {
        let sources = try (Self.files("Sources", "swift") + Self.files("Tests/Consumer", "swift")).map {
            Self.lines(try String(contentsOf: $0, encoding: .utf8))
        }
        var count = 0
        for file in try [Self.root.appending(path: "README.md")] + Self.files("Sources", "md") {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: #/```swift\n((?:.|\n)*?)```/#) {
                let code = Self.lines(match.1)
                count += 1
                #expect(
                    sources.contains { $0.contains(code) }, "\(file.lastPathComponent): \(code.prefix(60))")
            }
        }
        #expect(count > 5, "the code was not found")
    }
}
