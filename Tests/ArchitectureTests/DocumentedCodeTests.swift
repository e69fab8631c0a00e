import Foundation
import Testing

/// Code that documents show is code that is compiled: of this package, or of the program in Tests/Consumer.
struct DocumentedCodeTests {
    /// Without what differs where a piece is shown on its own: how far it is indented.
    private static func lines(_ text: some StringProtocol) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    @Test func `Swift in the README and in articles is part of a source`() throws {
        let sources = try (SourceTree.files() + SourceTree.files(in: "Tests/Consumer")).map {
            Self.lines($0.text)
        }
        let readme = SourceTree.File(path: "/README.md", text: try SourceTree.text(of: "README.md"))
        var count = 0
        for file in try [readme] + SourceTree.files(types: ["md"]) {
            for match in file.text.matches(of: #/```swift\n((?:.|\n)*?)```/#) {
                let code = Self.lines(match.1)
                count += 1
                #expect(sources.contains { $0.contains(code) }, "\(file.name): \(code.prefix(60))")
            }
        }
        #expect(count > 5, "the code was not found")
    }
}
