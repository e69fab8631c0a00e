import FaultInjection
import SessionBuilders
import ValiseEncoding

@testable import ValiseChatLog
@testable import ValiseSessionStore

/// Devices of one account, each with a part of the same messages.
struct MergedDevices {
    let story: Story
    let devices: [SessionFixture]

    /// Devices of which each has about two thirds of the messages, drawn by a seed.
    init(seed: UInt64, messages: Int = 210, _ programs: [SessionFixture.Program] = [.desktop, .phone]) throws
    {
        let story = Story(seed: seed, messages: messages)
        var random = SeededGenerator(seed: seed &+ 1)
        self.story = story
        devices = try programs.map { program in
            var part = story
            part.messages = story.messages.filter { _ in Int.random(in: 0..<3, using: &random) < 2 }
            return try SessionFixture(program, part)
        }
    }

    init(_ story: Story, _ devices: [SessionFixture]) { (self.story, self.devices) = (story, devices) }

    /// What the devices have, and nothing else.
    var union: [StoryMessage] {
        let numbers = Set(devices.flatMap { $0.story.messages.map(\.number) })
        return story.messages.filter { numbers.contains($0.number) }
    }

    /// In an order of the devices.
    func store(_ order: [Int]? = nil) throws -> MergedStore {
        try MergedStore(
            (order ?? Array(devices.indices)).map { index in
                MergedStore.Part(try devices[index].store(), name: "device \(index)")
            })
    }

    func log(_ order: [Int]? = nil, includesExpired: Bool = true) throws -> SessionLog {
        try SessionLog(try store(order), now: SessionFixture.now, includesExpired: includesExpired)
    }

    /// All that an export has.
    func lines(_ order: [Int]? = nil) throws -> [String] { try Self.lines(of: log(order)) }

    static func lines(of log: SessionLog) throws -> [String] {
        var writer = JSONLineWriter()
        var lines: [String] = []
        for conversation in try log.conversations() {
            lines.append(String(decoding: writer.line(of: conversation), as: UTF8.self))
            for item in try log.items(of: conversation) {
                lines.append(String(decoding: writer.line(of: item, in: conversation.key), as: UTF8.self))
            }
        }
        return lines
    }

    /// What is found in all conversations.
    func findings(_ order: [Int]? = nil) throws -> [MergeFinding] {
        let store = try store(order)
        var findings: [MergeFinding] = []
        store.found = { findings.append($0) }
        for conversation in try store.conversations(damaged: { throw $0 }) {
            try store.forEachMessage(of: conversation.id, newest: nil, damaged: { throw $0 }, { _ in })
        }
        return findings
    }
}

extension [MergeFinding] {
    var messages: [MergedMessage] {
        compactMap { if case .message(let message) = $0 { message } else { nil } }
    }
    var doubts: [MergeDoubt] { compactMap { if case .doubt(let doubt) = $0 { doubt } else { nil } } }
    var conflicts: [MergeConflict] { messages.flatMap(\.conflicts) }
}
