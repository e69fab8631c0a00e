import Fuzzing
import ValiseEncoding

@testable import ValiseChatLog

/// An item in each of the forms for people: nothing of it becomes markup, a column or a line of its own.
enum ShownItem {
    private static let chat = Conversation(
        key: "group-1", kind: .group, user: 1, userName: "Dana", name: "Garden", localName: "Garden",
        fullName: nil,
        about: nil, picture: nil, hiding: nil, isMarkedUnread: false, items: 1, unread: 0, first: nil,
        last: nil)

    static func check(_ item: ConversationItem) {
        text(item)
        csv(item)
        html(item)
        var markdown = MarkdownRenderer()
        _ = markdown.text(of: item)
    }

    private static func text(_ item: ConversationItem) {
        var renderer = TextRenderer()
        let text = renderer.text(of: item)
        FuzzRun.require(text.utf8.last == UInt8(ascii: "\n"), "a text ends with its line")
        let controls = text.unicodeScalars.filter {
            $0.value < 32 && $0 != "\n" && $0 != "\t" || $0.value == 127
        }
        FuzzRun.require(controls.isEmpty, "no control is in the text")
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        FuzzRun.require(
            lines.dropFirst().dropLast().allSatisfy { $0.starts(with: "    ".utf8) },
            "further lines are indented")
    }

    /// One record with as many fields as the header has.
    private static func csv(_ item: ConversationItem) {
        var renderer = CSVRenderer()
        let columns = renderer.beginning(of: chat).utf8.count { $0 == UInt8(ascii: ",") } + 1
        var fields = 1
        var records = 0
        var isQuoted = false
        for byte in renderer.text(of: item).utf8 {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: fields += 1
            case UInt8(ascii: "\n") where !isQuoted: records += 1
            default: break
            }
        }
        FuzzRun.require(fields == columns && records == 1 && !isQuoted, "\(fields) fields in \(records) rows")
    }

    private static let elements: Set<String> = [
        "a", "article", "audio", "bdi", "br", "button", "code", "details", "div", "em", "h2", "img", "li",
        "ol", "p", "s",
        "section", "small", "span", "strong", "summary", "time", "ul", "video",
    ]

    private static func html(_ item: ConversationItem) {
        var renderer = ItemRenderer(
            chat, root: "../../", clock: PageClock(offset: { _ in 0 }), media: { PageMedia.exported($0) })
        var clock = PageClock(offset: { _ in 0 })
        let moment = item.time.value.map { clock.moment($0) }
        guard (try? renderer.item(item, at: moment, quoted: nil)) != nil else { return }
        let page = renderer.takePage()
        for piece in page.split(separator: UInt8(ascii: "<")).dropFirst(
            page.first == UInt8(ascii: "<") ? 0 : 1)
        {
            let tag = piece.prefix { $0 != UInt8(ascii: ">") }
            FuzzRun.require(tag.count < piece.count, "a tag ends")
            checkTag(String(decoding: tag, as: UTF8.self))
        }
    }

    /// Values are in quotes, so every second piece between them is names.
    private static func checkTag(_ tag: String) {
        let name = tag.drop { $0 == "/" }.prefix { $0 != " " && $0 != "/" }
        FuzzRun.require(elements.contains(String(name)), "\(tag) is an element of ours")
        let pieces = tag.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        FuzzRun.require(pieces.count % 2 == 1, "the quotes of \(tag) are pairs")
        for index in stride(from: 0, to: pieces.count, by: 2) {
            let words = String(decoding: Array(pieces[index]), as: UTF8.self).split(separator: " ")
            FuzzRun.require(!words.contains { $0.hasPrefix("on") }, "\(tag) runs nothing")
        }
    }
}
