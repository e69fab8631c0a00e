import ValiseConcurrency
import ValiseFailures
import ValiseStorage

/// Names of every kind, and lists of them.
extension ObjectStoreContract {
    private struct Stop: Error {}

    /// Two are equal for Swift, and two objects for everybody else.
    private static let names = [
        "plain", "two words", " blank ", "100%", "%41%2F", "a+b=c&d?e#f", "!'()*;:@,$", "<&>\"", "[x]{y}|z^`",
        "~tilde", "back\\slash", ".hidden", "...", "..a", "-rf", "é", "e\u{301}", "日本/語", "🗝️", "\u{10FFFD}",
        "a/\u{301}b", "UPPER", "upper", "tcfs/.tcfs-trash/2026-01-01T00:00:00Z", "tail-tmp-1",
        String(repeating: "n", count: 200), (1...40).map { "level\($0)" }.joined(separator: "/"),
    ]

    func checkNames(_ store: any ObjectStore) throws {
        let keys = try Self.names.map { try ObjectKey($0) }
        for key in keys { try store.put(key, Array("content of \(key.text)".utf8), if: .isAbsent) }
        for key in keys {
            let content = Array("content of \(key.text)".utf8)
            try expect(
                store.get(key, nil, mostBytes: 5000).content == content, "\(key.text) is another object")
            try expect(
                store.attributes(of: key)?.size == Int64(content.count), "\(key.text) has another size")
            let found = try store.listed(key.text, false).map(\.text)
            try expect(found.contains { $0.utf8.elementsEqual(key.text.utf8) }, "\(key.text) is not listed")
        }
        let listed = try store.listed("", false).map { Array($0.text.utf8) }
        let expected = keys.sorted().map { Array($0.text.utf8) }
        try expect(
            listed == expected,
            "the list has other names: \(listed.map { String(decoding: $0, as: UTF8.self) })")
        for key in keys { try store.remove(key) }
        try expect(store.listed("", false).isEmpty, "names are left")
    }

    // MARK: Lists

    /// Any list is that of the model.
    func checkLists(_ store: any ObjectStore) throws {
        var numbers = Numbers(state: seed)
        let model = MemoryObjectStore()
        for _ in 0..<60 {
            let key = try ObjectKey(Self.text(&numbers))
            let content = [UInt8](repeating: 1, count: numbers.next(below: 50))
            for store in [store, model] as [any ObjectStore] { try store.put(key, content, if: .always) }
        }
        for _ in 0..<60 {
            let text = Self.text(&numbers)
            let prefix = String(decoding: text.utf8.prefix(numbers.next(below: 8)), as: UTF8.self)
            let other = Self.text(&numbers)
            let after = [nil, other, String(other.dropLast()), prefix, prefix + "a/", "a/", ""][
                numbers.next(below: 7)]
            for isDelimited in [false, true] {
                let what = "\(prefix) after \(after ?? "nothing"), delimited: \(isDelimited)"
                let found = try store.listed(prefix, isDelimited, after: after)
                let expected = try model.listed(prefix, isDelimited, after: after)
                try expect(
                    found.map(\.text) == expected.map(\.text),
                    "\(what): \(found.map(\.text)) instead of \(expected.map(\.text))")
                try expect(found.map(\.size) == expected.map(\.size), "\(what): other kinds or sizes")
                var keys: [ListedKey] = []
                try store.listKeys(prefix, isDelimited: isDelimited, after: after) { key in
                    keys.append(key)
                    return true
                }
                try expect(keys == found.map(\.key), "\(what): other keys without attributes")
            }
        }
        try checkEnds(store)
    }

    /// Files end with a dot, so that none has the name of a folder. Both sort around the slash.
    private static func text(_ numbers: inout Numbers) -> String {
        let parts = ["a", "a-", "a.b", "a b", "B", "é", "~", "0"]
        let depth = numbers.next(below: 4)
        let folders = (0..<depth).map { _ in parts[numbers.next(below: parts.count)] + "/" }
        return folders.joined() + parts[numbers.next(below: parts.count)] + "."
    }

    private func checkEnds(_ store: any ObjectStore) throws {
        let all = try store.listed("", false)
        for isThrown in [false, true] {
            var seen: [String] = []
            do {
                try store.list("", isDelimited: false, after: nil) { listed in
                    seen.append(listed.text)
                    if seen.count == 2, isThrown { throw Stop() }
                    return seen.count < 2
                }
                try expect(!isThrown, "what the reader throws is lost")
            } catch is Stop {}
            try expect(seen == all.prefix(2).map(\.text), "a list went on after its reader had ended it")
        }
        // What is listed may be removed meanwhile.
        try store.list("", isDelimited: false, after: nil) { listed in
            if case .object(let key, _) = listed { try store.remove(key) }
            return true
        }
        try expect(store.listed("", false).isEmpty, "objects that were removed while they were listed")
    }

    func checkLongLists(_ store: any ObjectStore) throws {
        let count = listedObjects
        let texts = (0..<count).map { number in
            number % 2 == 0 ? "many/object \(number)" : "many/folder \(number)/only"
        }
        try ParallelBatches.run(
            count: count, workers: threads, makeWorker: {},
            work: { _, number in
                try store.put(ObjectKey(texts[number]), Array("\(number)".utf8), if: .always)
            })
        let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        try expect(store.listed("many/", false).map(\.text) == sorted, "not all \(count) objects, in order")
        let delimited = sorted.map { $0.hasSuffix("/only") ? String($0.dropLast(4)) : $0 }
        try expect(
            store.listed("many/", true).map(\.text) == delimited, "not all \(count) objects and folders")
        let middle = sorted[count / 3]
        try expect(
            store.listed("many/", false, after: middle).map(\.text) == Array(sorted[(count / 3 + 1)...]),
            "other objects after \(middle)")
        try expect(store.listed("", true) == [.folder("many/")], "not one folder")
    }
}

/// The same numbers for the same seed.
private struct Numbers {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}

extension ListedObject {
    /// In bytes; -1 for a folder.
    fileprivate var size: Int64 {
        guard case .object(_, let attributes) = self else { return -1 }
        return attributes.size
    }
}
