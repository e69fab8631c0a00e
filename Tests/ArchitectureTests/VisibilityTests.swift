import Foundation
import Testing

/// What others see of the library (decision 0048): little, each with a sentence, and no two things of one name.
struct VisibilityTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    /// A modifier may have an argument; an attribute stands before it or on a line of its own.
    private static let attributes = #"(?:@[\w.]+(?:\([^)]*\))?\s+)*"#
    private static let kinds =
        "struct|class|enum|actor|protocol|typealias|func|var|let|init|subscript|case|extension"

    private static func files() throws -> [(path: String, target: String, lines: [Substring])] {
        let files = try #require(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .sorted { $0.path < $1.path }.map { file in
                let path = String(file.path.dropFirst(sources.path.count + 1))
                let text = try String(contentsOf: file, encoding: .utf8)
                return (
                    path, path.split(separator: "/").prefix(2).joined(separator: "/"),
                    text.split(separator: "\n", omittingEmptySubsequences: false)
                )
            }
    }

    /// The places of public declarations in a file.
    private static func declarations(_ lines: [Substring]) throws -> [Int] {
        let pattern = try Regex(#"^\s*\#(attributes)public (?!import)(?:[\w()]+ )*?(?:\#(kinds))\b"#)
        return lines.indices.filter { lines[$0].firstMatch(of: pattern) != nil }
    }

    @Test func `at most 900 declarations are public`() throws {
        let count = try Self.files().reduce(0) { try $0 + Self.declarations($1.lines).count }
        #expect((1...900).contains(count))
    }

    @Test func `each public declaration has a sentence that says what it is`() throws {
        for (path, _, lines) in try Self.files() {
            for place in try Self.declarations(lines) where !Self.isWitness(lines[place]) {
                var before = place - 1
                while before >= 0, lines[before].drop(while: { $0 == " " }).hasPrefix("@") { before -= 1 }
                let hasComment = before >= 0 && lines[before].drop(while: { $0 == " " }).hasPrefix("///")
                #expect(hasComment, "\(path):\(place + 1): \(lines[place].drop { $0 == " " })")
            }
        }
    }

    /// What a protocol asks for is described there.
    private static func isWitness(_ line: Substring) -> Bool {
        line.contains(
            #/ func (encode\(to|plan\(in|run\(in|==|<|hash\(into|passphrase\(_|answer\(_)| init\((from decoder|rawValue|argument|stringLiteral|integerLiteral)|(var|let) (code|message|subject|cause|remedy|description|debugDescription|hasEntryErrors|entryFailures|text|type|defaultValueDescription|allValueStrings|id)\b/#
        )
    }

    @Test func `no type has the name of another target's`() throws {
        let pattern = try Regex(
            #"^\#(Self.attributes)(?:(?:public|package|internal|final|indirect) )*"#
                + #"(?:struct|class|enum|actor|protocol|typealias) (\w+)"#, as: (Substring, Substring).self)
        var targets: [Substring: Set<String>] = [:]
        for (path, target, lines) in try Self.files() where !path.hasPrefix("6-Programs/") {
            for line in lines {
                guard let match = line.firstMatch(of: pattern) else { continue }
                targets[match.output.1, default: []].insert(target)
            }
        }
        #expect(targets.count > 1000)
        for (name, places) in targets where places.count > 1 { Issue.record("\(name): \(places.sorted())") }
    }
}
