import Foundation
import Testing

/// The files of this package, against which the rules of the house are held.
enum SourceTree {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    struct File {
        /// Relative to the package, such as `Sources/0-Ground/Files/OpenFile.swift`.
        let path: String
        let text: String

        var name: String { String(path[path.index(after: path.lastIndex(of: "/")!)...]) }
        /// Whether one of the words is in it: much quicker than a regular expression, which most files need not see.
        func mentions(_ words: String...) -> Bool {
            text.withCString { text in words.contains { strstr(text, $0) != nil } }
        }

        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        /// Without the lines that are comments.
        var code: String {
            lines.map { $0.drop { $0 == " " }.hasPrefix("//") ? "" : $0 }.joined(separator: "\n")
        }
    }

    /// All files of a folder and of those in it, in the order of their paths.
    static func files(in folder: String = "Sources", types: Set<String> = ["swift"]) throws -> [File] {
        let files = try #require(
            FileManager.default.enumerator(
                at: root.appending(path: folder), includingPropertiesForKeys: nil))
        return try files.compactMap { $0 as? URL }
            .filter { types.contains($0.pathExtension) && !$0.path.contains("/.build/") }
            .sorted { $0.path < $1.path }
            .map { File(path: String($0.path.dropFirst(root.path.count + 1)), text: try text($0)) }
    }

    static func text(of path: String) throws -> String { try text(root.appending(path: path)) }

    private static func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }
}
