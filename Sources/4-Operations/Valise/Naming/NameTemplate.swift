import SystemPackage
package import ValiseAccounts
package import ValiseEncoding
import ValiseFiles

/// A file name with placeholders, such as `backup-{date}.zip`. A brace is written as `{{`.
package struct NameTemplate: Sendable, Equatable {
    /// What stands for something else.
    package enum Placeholder: String, Sendable, CaseIterable {
        /// The local date, such as `2026-11-24`.
        case date
        /// The local time of day, such as `153012`.
        case time
        /// The name of the account's folder, made safe for every file system.
        case account

        /// As it is written in a template.
        package var text: String { "{\(rawValue)}" }
    }

    /// What the placeholders stand for.
    package struct Values: Sendable, Equatable {
        package var date: String
        package var time: String
        package var account: String
    }

    private enum Part: Sendable, Equatable {
        case text(String)
        case placeholder(Placeholder)
    }

    private var parts: [Part] = []

    private typealias Rest = Substring.UnicodeScalarView

    /// - Throws: ``OperationError`` with `invalid` for an unknown placeholder, and for a brace that is not closed.
    package init(_ template: String) throws(OperationError) {
        // By scalars: an accent behind a brace makes no other character of it.
        var rest = template[...].unicodeScalars
        var text = ""
        while let brace = rest.firstIndex(of: "{") {
            text += String(rest[..<brace])
            rest = rest[rest.index(after: brace)...]
            if rest.first == "{" {
                text += "{"
                rest = rest.dropFirst()
                continue
            }
            let placeholder = try Self.placeholder(&rest)
            if !text.isEmpty { parts.append(.text(text)) }
            text = ""
            parts.append(.placeholder(placeholder))
        }
        text += String(rest)
        if !text.isEmpty { parts.append(.text(text)) }
    }

    /// Behind an opening brace.
    private static func placeholder(_ rest: inout Rest) throws(OperationError) -> Placeholder {
        let known = "Known placeholders are \(Placeholder.allCases.map(\.text).joined(separator: ", "))"
        guard let end = rest.firstIndex(of: "}") else {
            throw OperationError(.invalid, "a brace is not closed in the name. \(known); {{ is a brace.")
        }
        let name = String(rest[..<end])
        guard let found = Placeholder(rawValue: name) else {
            throw OperationError(.invalid, "unknown placeholder {\(name)} in the name. \(known).")
        }
        rest = rest[rest.index(after: end)...]
        return found
    }

    /// Whether names of this template differ with a placeholder.
    package func has(_ placeholder: Placeholder) -> Bool { parts.contains(.placeholder(placeholder)) }

    /// The name for these values.
    package func name(_ values: Values) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .placeholder(let placeholder): values[placeholder]
            }
        }.joined()
    }

    /// The values by which the template gives this name; empty for placeholders that it does not have.
    ///
    /// - Parameter account: the only name of an account that is taken for one.
    /// - Returns: nil for a name of another form.
    package func values(of name: String, account: String) -> Values? {
        var rest = Array(name.utf8)[...]
        var values = Values(date: "", time: "", account: account)
        for part in parts {
            switch part {
            case .text(let text):
                guard rest.starts(with: text.utf8) else { return nil }
                rest = rest.dropFirst(text.utf8.count)
            case .placeholder(let placeholder):
                let length = placeholder == .account ? account.utf8.count : placeholder.length
                let found = String(decoding: rest.prefix(length), as: UTF8.self)
                let known = values[placeholder]
                guard known.isEmpty ? placeholder.isValue(found) : found == known else { return nil }
                values[placeholder] = found
                rest = rest.dropFirst(length)
            }
        }
        return rest.isEmpty ? values : nil
    }
}

extension NameTemplate.Placeholder {
    /// Of its values, in bytes; an account's name has any.
    fileprivate var length: Int {
        switch self {
        case .date: 10
        case .time: 6
        case .account: 0
        }
    }

    fileprivate func isValue(_ text: String) -> Bool {
        switch self {
        case .date: text.utf8.count == length && UTCTime(text) != nil
        case .time: text.utf8.count == length && text.utf8.allSatisfy { (48...57).contains($0) }
        case .account: false
        }
    }
}

extension NameTemplate.Values {
    /// The longest name of an account, in bytes: other parts of a name have space beside it.
    private static let longestAccount = 100

    /// - Parameters:
    ///   - account: whose folder's name is used.
    ///   - moment: in local time.
    package init(_ account: AccountLocation, _ moment: LocalTime = LocalTime()) {
        let folder = (try? FileSystem().resolve(account.directory)) ?? account.directory
        self.init(
            date: moment.date, time: moment.time, account: Self.safe(folder.lastComponent?.string ?? ""))
    }

    /// A name that every file system takes, and no shell takes for an option.
    static func safe(_ name: String) -> String {
        let allowed = name.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" }
        var name = String(allowed.drop { "-.".contains($0) })
        while name.utf8.count > longestAccount { name.removeLast() }
        return name.isEmpty ? "account" : name
    }

    fileprivate subscript(placeholder: NameTemplate.Placeholder) -> String {
        get {
            switch placeholder {
            case .date: date
            case .time: time
            case .account: account
            }
        }
        set {
            switch placeholder {
            case .date: date = newValue
            case .time: time = newValue
            case .account: account = newValue
            }
        }
    }
}
