import FaultInjection
import Foundation
import Testing
import ValiseStorage

@testable import ValiseRepository

struct GoJSONTests {
    private func written(_ body: (inout GoJSONWriter) -> Void) -> String {
        var writer = GoJSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `commas are between fields and between elements only`() {
        let text = written {
            $0.beginObject()
            $0.name("a")
            $0.beginArray()
            $0.value(1)
            $0.value(-2)
            $0.beginArray()
            $0.endArray()
            $0.null()
            $0.endArray()
            $0.name("b")
            $0.beginObject()
            $0.endObject()
            $0.name("c")
            $0.value(true)
            $0.name("d")
            $0.value(UInt64.max)
            $0.endObject()
            $0.endLine()
        }
        #expect(text == #"{"a":[1,-2,[],null],"b":{},"c":true,"d":18446744073709551615}"# + "\n")
    }

    @Test func `escapes are those of Go`() {
        let text = "\"\\/<>&\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}é\u{2028}\u{2029}\u{fffd}😀"
        let expected =
            #""\"\\/\u003c\u003e\u0026\b\f\n\r\t\u0000\u001f"# + "\u{7f}é" + #"\u2028\u2029"# + "\u{fffd}😀\""
        #expect(written { $0.value(text) } == expected)
        // What is no UTF-8 is the escape of the character that stands for it.
        #expect(written { $0.value(utf8: [0x61, 0xff, 0xe2, 0x82, 0x62]) } == #""a\ufffd\ufffd\ufffdb""#)
        #expect(written { $0.value(utf8: [0xed, 0xa0, 0x80]) } == #""\ufffd\ufffd\ufffd""#)
    }

    @Test func `what is written is read again, by the reader and by Foundation`() throws {
        let seed = CryptoFixture.seed("texts of records")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let scalars = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                Unicode.Scalar(
                    UInt32.random(in: 0..<(Bool.random(using: &random) ? 128 : 0x11_0000), using: &random))
                    ?? "\u{2028}"
            }
            let text = String(String.UnicodeScalarView(scalars))
            let json = written { $0.value(text) }
            var reader = RecordReader(Array(json.utf8))
            let read = try reader.string(limit: 1000)
            try reader.end()
            #expect(read == Array(text.utf8), "\(seed): \(json)")
            let other = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
            #expect((other as? String)?.unicodeScalars.elementsEqual(text.unicodeScalars) == true, "\(json)")
        }
    }

    @Test func `identifiers are 64 digits in lower case`() throws {
        for number in 0..<100 {
            let id = RecordFixture.id(number)
            let json = written { $0.value(id) }
            #expect(json == "\"\(id.text)\"")
            var reader = RecordReader(Array(json.utf8))
            let read = try reader.id()
            #expect(read == id)
        }
        for text in [
            "\"\"", "\"ab\"", "\"\(String(repeating: "A", count: 64))\"",
            "\"\(String(repeating: "g", count: 64))\"",
        ] {
            var reader = RecordReader(Array(text.utf8))
            #expect(throws: RepositoryError.self) { try reader.id() }
        }
    }

    @Test func `only digits in lower case are digits of an identifier`() {
        for byte in UInt8.min...(.max) {
            var digits = [UInt8](repeating: UInt8(ascii: "7"), count: 64)
            digits[37] = byte
            var reader = RecordReader([0x22] + digits + [0x22])
            let id = try? reader.id()
            let text = String(decoding: digits, as: UTF8.self)
            #expect(id == (byte < 0x80 ? ContentID(text: text) : nil), "\(byte)")
        }
    }

    @Test(arguments: [
        "{}", "[]", "null", "true", "false", "0", "-1", "1.5", "2e10", "1E-7", "\"\"", " [ 1 , 2 ] ",
        "{ \"a\" : { } }",
        "[[],{},[{}]]", #"{"a":[1,{"b":null}],"c":"\ud83d\ude00"}"#,
    ])
    func `values of any form are passed over`(text: String) throws {
        var reader = RecordReader(Array(text.utf8))
        try reader.skip()
        try reader.end()
    }

    @Test(arguments: [
        "", " ", "{", "[", "]", "}", "[1", "[1,", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}",
        "{1:2}", "tru",
        "nul", "01", "-", "1.", ".5", "1e", "+1", "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\u{1}\"",
        "[1 2]", "{\"a\" 1}",
        "[}", "{]", "1 1", "[] []", "NaN",
    ])
    func `what is no JSON is damage`(text: String) {
        #expect(throws: RepositoryError.self) {
            var reader = RecordReader(Array(text.utf8))
            try reader.skip()
            try reader.end()
        }
    }

    @Test func `deep nesting and long numbers are refused, at no cost`() {
        for text in [
            String(repeating: "[", count: 1_000_000), String(repeating: "{\"a\":", count: 300_000),
            String(repeating: "9", count: 1_000_000), "1" + String(repeating: "0", count: 100),
            "1e" + String(repeating: "9", count: 100),
        ] {
            #expect(throws: RepositoryError.self) {
                var reader = RecordReader(Array(text.utf8))
                try reader.skip()
            }
        }
    }

    @Test func `numbers that do not fit are refused`() throws {
        for text in ["-1", "18446744073709551616", "1.0", "1e3", "\"1\"", "null"] {
            #expect(throws: RepositoryError.self, "\(text)") {
                var reader = RecordReader(Array(text.utf8))
                let number: UInt64 = try reader.unsigned()
                Issue.record("\(text) is \(number)")
            }
        }
        var reader = RecordReader(Array("18446744073709551615".utf8))
        let largest: UInt64 = try reader.unsigned()
        #expect(largest == .max)
        reader = RecordReader(Array("4294967296".utf8))
        #expect(throws: RepositoryError.self) { try reader.unsigned(UInt32.self) }
    }

    @Test func `halves of pairs and bytes that are no text become U+FFFD`() throws {
        for (text, expected) in [
            (#""\ud800""#, "\u{fffd}"), (#""\udc00x""#, "\u{fffd}x"), (#""\ud83d\u0041""#, "\u{fffd}A"),
            (#""\ud83d\ude00""#, "😀"), (#""\u00e9\/""#, "é/"),
        ] {
            var reader = RecordReader(Array(text.utf8))
            let read = try reader.text()
            #expect(read == expected, "\(text)")
        }
        var reader = RecordReader([0x22, 0xff, 0xe2, 0x82, 0x41, 0x22])
        let read = try reader.text()
        #expect(read == "\u{fffd}\u{fffd}\u{fffd}A")
    }

    @Test func `names of fields are equal where their bytes are`() {
        let names = [
            "", "a", "ab", "abcdefgh", "abcdefghi", "total_bytes_processed", "total_files_processed",
            "a\u{0}",
            "12345678901234567890123",
        ]
        for (place, name) in names.enumerated() {
            for (other, second) in names.enumerated() {
                #expect((RecordKey(name.utf8) == RecordKey(second.utf8)) == (place == other))
            }
        }
        // Longer ones are nobody's.
        let long = String(repeating: "a", count: 24)
        #expect(RecordKey(long.utf8) != RecordKey(long.utf8))
    }
}
