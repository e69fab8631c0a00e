import FaultInjection
import Foundation
import Testing
import ValiseEncoding

@testable import Valise

/// Names with placeholders: what is made is found again, and nothing else.
struct NameTemplateTests {
    private typealias Values = NameTemplate.Values

    private static func value(_ placeholder: NameTemplate.Placeholder, _ values: Values) -> String {
        switch placeholder {
        case .date: values.date
        case .time: values.time
        case .account: values.account
        }
    }

    /// A template, and the name that it gives.
    private static func random(
        _ values: Values, _ generator: inout SeededGenerator
    ) -> (template: String, name: String) {
        let texts = ["a", "-", "{", "}", "{}", "é", "\u{301}", "2026", "1", " ", "date", "_.zip"]
        var (template, name) = ("", "")
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            if Bool.random(using: &generator) {
                let text = texts.randomElement(using: &generator) ?? ""
                template += text.replacingOccurrences(of: "{", with: "{{")
                name += text
            } else {
                let placeholder = NameTemplate.Placeholder.allCases.randomElement(using: &generator) ?? .date
                template += placeholder.text
                name += value(placeholder, values)
            }
        }
        return (template, name)
    }

    private static func randomValues(_ generator: inout SeededGenerator) -> Values {
        let time = LocalTime(seconds: .random(in: 0...4_000_000_000, using: &generator))
        let account =
            ["laptop", "a", "2026-11-24", "123456", "b-c_d"].randomElement(using: &generator) ?? "a"
        return Values(date: time.date, time: time.time, account: account)
    }

    @Test func `each name of a template is found by it, with its values`() throws {
        var generator = SeededGenerator(seed: 19)
        for _ in 0..<3000 {
            let values = Self.randomValues(&generator)
            let (text, name) = Self.random(values, &generator)
            let template = try NameTemplate(text)
            #expect(template.name(values) == name, "\(text)")
            var expected = values
            if !template.has(.date) { expected.date = "" }
            if !template.has(.time) { expected.time = "" }
            #expect(template.values(of: name, account: values.account) == expected, "\(text) \(name)")
        }
    }

    @Test func `a name that is longer, shorter or changed is none of the template`() throws {
        var generator = SeededGenerator(seed: 20)
        let template = try NameTemplate("x{{{account}_{date}-{time}.zip")
        for _ in 0..<300 {
            let values = Self.randomValues(&generator)
            let name = template.name(values)
            #expect(template.values(of: name, account: values.account) != nil)
            #expect(template.values(of: name + ".partial", account: values.account) == nil)
            #expect(template.values(of: name, account: values.account + "2") == nil)
            let bytes = Array(name.utf8)
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            #expect(template.values(of: String(name.dropLast()), account: values.account) == nil)
            let changed = bytes[..<place] + [UInt8(ascii: "#")] + bytes[(place + 1)...]
            let other = String(decoding: changed, as: UTF8.self)
            #expect(template.values(of: other, account: values.account) == nil, "\(other)")
        }
    }

    @Test(arguments: ["2026-13-01", "2026-02-30", "2026-1-011", "20261101--", "2026-11-2４"])
    func `what is no date is none of a name`(date: String) throws {
        #expect(try NameTemplate("a{date}").values(of: "a\(date)", account: "x") == nil)
    }

    @Test(arguments: ["{day}", "a{}", "{Date}", "{ date}", "{date", "x{", "{{{"])
    func `an unknown placeholder is refused, and the known ones are named`(text: String) {
        let error = #expect(throws: OperationError.self) { try NameTemplate(text) }
        #expect(error?.code == .invalid)
        for placeholder in NameTemplate.Placeholder.allCases {
            #expect(error?.message.contains(placeholder.text) == true)
        }
    }

    @Test(arguments: [
        ("laptop", "laptop"), ("my phone", "my_phone"), ("../x", "_x"), ("-rf", "rf"), (".hidden", "hidden"),
        ("a:b*c?\n", "a_b_c__"), ("", "account"), ("...", "account"), ("Ünï", "Ünï"),
    ])
    func `an account's name is safe in a file name`(name: String, safe: String) {
        #expect(NameTemplate.Values.safe(name) == safe)
        #expect(NameTemplate.Values.safe(String(repeating: "é", count: 300)).utf8.count <= 100)
    }

    @Test func `the last component of a path is a template, and a folder with placeholders is one`() throws {
        let values = Values(date: "2026-11-24", time: "153012", account: "laptop")
        #expect(try TemplatedPath("/a/{x}/b-{date}.zip", values).path == "/a/{x}/b-2026-11-24.zip")
        #expect(try TemplatedPath("{account}.zip", values).path == "laptop.zip")
        #expect(try TemplatedPath("/a/{date}/../x.zip", values).path == "/a/2026-11-24/../x.zip")
        #expect(
            try TemplatedPath("{account}/{{date}}/{time/x-{account}", values).path
                == "laptop/{{date}}/{time/x-laptop")
        #expect(try TemplatedPath("a.zip", values).path == "a.zip")
        #expect(throws: OperationError.self) { try TemplatedPath("/a/{x}", values) }
    }
}
