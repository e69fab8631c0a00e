import Testing

/// What others see of the library (decision 0049): little, each with a sentence, and no two things of one name.
struct VisibilityTests {
    /// A modifier may have an argument; an attribute stands before it or on a line of its own.
    private static let attributes = #"(?:@[\w.]+(?:\([^)]*\))?\s+)*"#
    private static let kinds =
        "struct|class|enum|actor|protocol|typealias|func|var|let|init|subscript|case|extension"

    /// The places of public declarations in a file.
    private static func declarations(_ lines: [Substring]) throws -> [Int] {
        let pattern = try Regex(#"^\s*\#(attributes)public (?!import)(?:[\w()]+ )*?(?:\#(kinds))\b"#)
        return lines.indices.filter {
            lines[$0].mentions(any: ["public "]) && lines[$0].firstMatch(of: pattern) != nil
        }
    }

    // A state, its events and its effects are for front ends: they are most of what a composition is. A file provider is an app.
    @Test func `at most 1,220 declarations are public`() throws {
        let count = try SourceTree.files().filter { $0.mentions("public ") }.reduce(0) {
            try $0 + Self.declarations($1.lines).count
        }
        #expect((1...1_220).contains(count))
    }

    @Test func `each public declaration has a sentence that says what it is`() throws {
        for file in try SourceTree.files() where file.mentions("public ") {
            let lines = file.lines
            for place in try Self.declarations(lines) where !Self.isWitness(lines[place]) {
                var before = place - 1
                while before >= 0, lines[before].drop(while: { $0 == " " }).hasPrefix("@") { before -= 1 }
                let hasComment = before >= 0 && lines[before].drop(while: { $0 == " " }).hasPrefix("///")
                #expect(hasComment, "\(file.path):\(place + 1): \(lines[place].drop { $0 == " " })")
            }
        }
    }

    /// They are public with their type, without the word.
    @Test func `each case of a public enum and each requirement of a public protocol has one, too`() throws {
        let head = try Regex(
            #"^( *)\#(Self.attributes)public (?:indirect )?(enum|protocol) "#,
            as: (Substring, Substring, Substring).self)
        var count = 0
        for file in try SourceTree.files()
        where file.mentions("public enum", "public indirect", "public protocol") {
            let lines = file.lines
            for (place, line) in zip(lines.indices, lines) {
                guard line.mentions(any: ["public "]), let match = line.firstMatch(of: head) else { continue }
                let indent = String(match.1)
                let wanted = match.2 == "enum" ? ["case "] : ["func ", "var ", "init(", "associatedtype "]
                for inside in lines.indices.dropFirst(place + 1) {
                    if lines[inside].hasPrefix("\(indent)}") { break }
                    guard wanted.contains(where: { lines[inside].hasPrefix("\(indent)    \($0)") }) else {
                        continue
                    }
                    count += 1
                    let before = lines[inside - 1].drop { $0 == " " }
                    #expect(before.hasPrefix("///"), "\(file.path):\(inside + 1): \(lines[inside])")
                }
            }
        }
        #expect(count > 250)
    }

    /// What a protocol asks for is described there.
    private static func isWitness(_ line: Substring) -> Bool {
        line.contains(
            #/ func (encode\(to|plan\(in|run\(in|==|<|hash\(into|passphrase\(_|answer\(_)| init\((from decoder|rawValue|argument|stringLiteral|integerLiteral)|(var|let) (code|message|subject|cause|remedy|description|debugDescription|hasEntryErrors|entryFailures|bytesToProcess|text|type|defaultValueDescription|allValueStrings|id)\b/#
        )
    }

    private static let types = ["struct ", "class ", "enum ", "actor ", "protocol ", "typealias "]

    @Test func `no type has the name of another target's`() throws {
        let pattern = try Regex(
            #"^\#(Self.attributes)(?:(?:public|package|internal|final|indirect) )*"#
                + #"(?:struct|class|enum|actor|protocol|typealias) (\w+)"#, as: (Substring, Substring).self)
        var targets: [Substring: Set<String>] = [:]
        for file in try SourceTree.files() where !file.path.hasPrefix("Sources/6-Programs/") {
            let target = file.path.split(separator: "/")[1...2].joined(separator: "/")
            for line in file.lines {
                guard line.mentions(any: Self.types), let match = line.firstMatch(of: pattern) else {
                    continue
                }
                targets[match.output.1, default: []].insert(target)
            }
        }
        #expect(targets.count > 1000)
        for (name, places) in targets where places.count > 1 { Issue.record("\(name): \(places.sorted())") }
    }
}
