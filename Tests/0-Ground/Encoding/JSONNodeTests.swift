import FaultInjection
import Foundation
import Testing
import ValiseEncoding

/// JSON as nodes: what the standard allows and nothing else, kept as it was written.
struct JSONNodeTests {
    @Test(
        arguments: [
            ("null", .null), (" true\n", .bool(true)), ("false", .bool(false)), ("-0", .number("-0")),
            ("1.50e+3", .number("1.50e+3")), ("\"\"", .text("")), ("[]", .array([])), ("{ }", .empty),
            ("[1,\t[]]", .array([.number("1"), .array([])])),
            (#"{"b":1 , "a":"x"}"#, .object([.init("b", .number("1")), .init("a", .text("x"))])),
            (#""\"\\\/\b\f\n\r\t\u00e9\u0000""#, .text("\"\\/\u{8}\u{c}\n\r\té\0")),
            (#""\ud83d\ude80 \uD83D\uDE80""#, .text("🚀 🚀")), ("\"ü🚀\u{7f}\"", .text("ü🚀\u{7f}")),
        ] as [(String, JSONNode)])
    func `every kind of value is read`(text: String, node: JSONNode) {
        #expect(JSONNode(parsing: text) == node)
    }

    @Test(arguments: [
        #""\ud83d""#: "\u{fffd}", #""a\ude80b""#: "a\u{fffd}b", #""\ud83dx""#: "\u{fffd}x",
        #""\ud83d\n""#: "\u{fffd}\n", #""\ud83d\ud83d\ude80""#: "\u{fffd}🚀",
        #""\ude80\ud83d""#: "\u{fffd}\u{fffd}",
    ])
    func `half of a surrogate pair is replaced`(text: String, read: String) {
        #expect(JSONNode(parsing: text) == .text(read))
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "+1", "01", "-", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity",
        "--1",
        "\"", "\"\\\"", "\"a\nb\"", "\"\t\"", #""\x""#, #""\u12""#, #""\u+123""#, #""\u 123""#, "'a'", "[",
        "[1", "[1,",
        "[1,]", "[,1]", "[1 2]", "]", "{", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,}"#, #"{"a" 1}"#,
        "{a:1}", "{1:1}",
        #"{,"a":1}"#, "}", "1 1", "{}{}", "[]x", "// a\n1", "\u{feff}1", "\u{a0}1", "1\0", "\u{b}1",
    ])
    func `anything else is none`(text: String) {
        #expect(JSONNode(parsing: text) == nil)
    }

    @Test func `bytes that are no UTF-8 are none`() {
        let invalid: [[UInt8]] = [
            [0x80], [0xc3], [0xc0, 0x80], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff],
        ]
        for bytes in invalid {
            #expect(JSONNode(parsing: [0x22] + bytes + [0x22]) == nil, "\(bytes)")
            #expect(JSONNode(parsing: Array(#"{""#.utf8) + bytes + Array(#"":1}"#.utf8)) == nil, "\(bytes)")
            #expect(JSONNode(parsing: Array(#""\n"#.utf8) + bytes + [0x22]) == nil, "\(bytes)")
            #expect(JSONNode(parsing: bytes) == nil, "\(bytes)")
        }
    }

    @Test func `a hundred levels are read, and a million are refused`() {
        func arrays(_ count: Int) -> String {
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        #expect(JSONNode(parsing: arrays(100)) != nil)
        #expect(JSONNode(parsing: arrays(101)) == nil)
        #expect(JSONNode(parsing: arrays(1_000_000)) == nil)
        #expect(JSONNode(parsing: String(repeating: "[", count: 1_000_000)) == nil)
        let objects = String(repeating: #"{"a":"#, count: 100)
        #expect(JSONNode(parsing: objects + "1" + String(repeating: "}", count: 100)) != nil)
        #expect(JSONNode(parsing: objects + "{}" + String(repeating: "}", count: 100)) == nil)
    }

    @Test func `a beginning of an object is none`() {
        let text = #"{"a":[1.5e-3,true,null,"é\ud83d\ude80\n"],"b":{"c":{}}}"#
        let bytes = Array(text.utf8)
        #expect(JSONNode(parsing: bytes)?.jsonText == text.replacing(#"\ud83d\ude80"#, with: "🚀"))
        for count in bytes.indices {
            #expect(JSONNode(parsing: Array(bytes[..<count])) == nil, "\(count) bytes")
        }
    }

    @Test func `numbers keep their text, and are integers where 64 bits hold them`() {
        let digits = String(repeating: "9", count: 100_000)
        #expect(JSONNode(parsing: digits) == .number(digits))
        #expect(JSONNode(parsing: digits)?.integerValue == nil)
        #expect(JSONNode(parsing: "1E\(digits)")?.jsonText == "1E\(digits)")
        #expect(JSONNode(parsing: "9223372036854775807")?.integerValue == .max)
        #expect(JSONNode(parsing: "-9223372036854775808")?.integerValue == .min)
        for text in ["9223372036854775808", "1.0", "1e3", "\"1\"", "true"] {
            #expect(JSONNode(parsing: text)?.integerValue == nil, "\(text)")
        }
    }

    @Test func `of members with the same key the last one counts, and all are kept`() throws {
        let text = #"{"a":1,"b":true,"a":[null]}"#
        let node = try #require(JSONNode(parsing: text))
        #expect(node["a"]?.arrayValue == [.null])
        #expect(node["b"]?.boolValue == true)
        #expect(node["c"] == nil && node["b"]?["x"] == nil)
        #expect(node.objectValue?.count == 3)
        #expect(node.jsonText == text)
    }

    @Test func `control characters of all kinds are escaped`() {
        let node = JSONNode.text(
            "a\"\\/\u{8}\u{c}\n\r\t\0\u{1f}\u{7f}\u{85}\u{a0}\u{61c}\u{200e}\u{200d}\u{2028}\u{2066}é’🚀ب")
        let text = #""a\"\\/\b\f\n\r\t\u0000\u001f\u007f\u0085\#u{a0}\u061c\u200e\#u{200d}\u2028\u2066é’🚀ب""#
        #expect(node.jsonText == text)
        #expect(JSONNode(parsing: text) == node)
    }

    @Test(arguments: [
        #"{"gone":{"id":5}}"#, #"{"type":"gone","id":5}"#, #"{"id":5,"type":"gone"}"#,
        #"{"_owsf":true,"gone":{"id":5}}"#, #"{"gone":{"id":5},"_owsf":true}"#,
        #"{"gone":{"id":4},"gone":{"id":5}}"#,
    ])
    func `a value with cases is read in all forms`(text: String) throws {
        let (name, fields) = try #require(JSONNode(parsing: text)?.sum)
        #expect(name == "gone")
        #expect(fields == .object([.init("id", .number("5"))]))
    }

    @Test func `a case without fields may have an empty array, and nothing else is a case`() throws {
        #expect(JSONNode(parsing: #"{"gone":[]}"#)?.sum?.fields == .empty)
        #expect(JSONNode(parsing: #"{"type":"gone"}"#)?.sum?.fields == .empty)
        for text in [
            "{}", "[]", "1", #"{"gone":[1]}"#, #"{"gone":1}"#, #"{"a":{},"b":{}}"#, #"{"_owsf":true}"#,
        ] {
            #expect(JSONNode(parsing: text)?.sum == nil, "\(text)")
        }
    }
}
