import FaultInjection

@testable import ValiseContentStore

/// Values for documents, with characters that have to be escaped.
enum RandomDocuments {
    private static let characters = Array(
        "abzAZ09 ._-\"\\/äß語👩‍👧\u{1}\u{1f}\u{7f}\n\t\r\u{8}\u{c}\u{2028}{}[]:,"
    ).map(String.init)

    static func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...20, using: &random)).map { _ in
            characters[.random(in: 0..<characters.count, using: &random)]
        }
        .joined()
    }

    /// Nothing that has to be escaped is in it.
    static func path(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in "a\(Int.random(in: 0...99, using: &random))ä" }
            .joined(separator: "/")
    }

    static func clock(_ random: inout SeededGenerator) -> VectorClock {
        var counters: [String: UInt64] = [:]
        for _ in 0..<Int.random(in: 0...4, using: &random) { counters[text(&random)] = random.next() }
        return VectorClock(counters)
    }

    static func name(_ random: inout SeededGenerator) -> ObjectName {
        if Int.random(in: 0..<4, using: &random) == 0 {
            return ObjectName("n\(random.next())") ?? .digest(.ofNothing)
        }
        return .digest(digest(&random))
    }

    static func digest(_ random: inout SeededGenerator) -> ContentDigest {
        ContentDigest(digest: (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    static func file(_ random: inout SeededGenerator) -> FileManifest {
        let chunks = (0..<Int.random(in: 0...5, using: &random)).map { _ in name(&random) }
        let hasTime = Bool.random(using: &random)
        let time = ModificationTime(
            seconds: Int64(bitPattern: random.next()),
            nanoseconds: .random(in: 0..<1_000_000_000, using: &random))
        var file = FileManifest(
            content: digest(&random), size: chunks.isEmpty ? 0 : .random(in: 5 ... .max, using: &random),
            chunks: chunks, clock: clock(&random), device: text(&random), written: random.next(),
            path: Bool.random(using: &random) ? text(&random) : nil,
            mode: Bool.random(using: &random) ? .random(in: 0 ... .max, using: &random) : nil,
            modified: hasTime ? time : nil)
        if Bool.random(using: &random) { file.wrappedKey = text(&random) }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            file.deviceKeys.append(
                DeviceKey(
                    device: text(&random), recipient: text(&random), algorithm: text(&random),
                    wrapped: text(&random)))
        }
        return file
    }

    static func item(_ random: inout SeededGenerator) -> IndexedItem {
        IndexedItem(
            manifest: name(&random), size: .random(in: 0 ... .max, using: &random),
            chunks: .random(in: 0 ... .max, using: &random),
            target: Bool.random(using: &random) ? text(&random) : nil)
    }

    static func entry(_ random: inout SeededGenerator) -> IndexEntry {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .committed(item(&random))
        case 1:
            .preparing(
                current: Bool.random(using: &random) ? item(&random) : nil,
                pending: PendingItem(item(&random), stagedKey: text(&random)))
        case 2: .deleted(nil)
        default: .deleted(SafetyCopy(key: text(&random), digest: text(&random)))
        }
    }
}
