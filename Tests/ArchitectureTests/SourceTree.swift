import Foundation
import Synchronization
import Testing

/// The files of this package, against which the rules of the house are held.
enum SourceTree {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    struct File: Sendable {
        /// Relative to the package, such as `Sources/0-Ground/Files/OpenFile.swift`.
        let path: String
        let text: String
        /// Without the lines that are comments.
        let code: String

        init(path: String, text: String) {
            self.path = path
            self.text = text
            code = text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.drop { $0 == " " }.hasPrefix("//") ? "" : $0 }.joined(separator: "\n")
        }

        var name: String { String(path[path.index(after: path.lastIndex(of: "/")!)...]) }
        /// Whether one of the words is in it: much quicker than a regular expression, which most files need not see.
        func mentions(_ words: String...) -> Bool { text.mentions(any: words) }

        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    }

    private static let read = Mutex<[String: [File]]>([:])

    /// All files of a folder and of those in it, in the order of their paths.
    static func files(in folder: String = "Sources", types: Set<String> = ["swift"]) throws -> [File] {
        let key = "\(folder) \(types.sorted())"
        if let files = read.withLock({ $0[key] }) { return files }
        let files = try #require(
            FileManager.default.enumerator(
                at: root.appending(path: folder), includingPropertiesForKeys: nil))
        let found = try files.compactMap { $0 as? URL }
            .filter { types.contains($0.pathExtension) && !$0.path.contains("/.build/") }
            .sorted { $0.path < $1.path }
            .map { File(path: String($0.path.dropFirst(root.path.count + 1)), text: try text($0)) }
        read.withLock { $0[key] = found }
        return found
    }

    static func text(of path: String) throws -> String { try text(root.appending(path: path)) }

    private static func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }
}

extension StringProtocol {
    /// Whether one of the words is in it, in these letters.
    func mentions(any words: [String]) -> Bool {
        withCString { text in words.contains { strstr(text, $0) != nil } }
    }
}
