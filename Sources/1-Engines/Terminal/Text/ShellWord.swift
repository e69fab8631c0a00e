package import SystemPackage
import ValiseFailures

/// A word as it is typed into a POSIX shell: whoever copies it gets the argument, byte for byte, and nothing else happens.
package struct ShellWord: Equatable {
    /// Without control characters, whatever the argument holds.
    package let text: String

    /// Any argument that is no path, such as the value of an option.
    package init(_ argument: String) { text = Self.quoted(Array(argument.utf8)) }

    /// A path as an operand: one that begins with a dash would be an option.
    package init(_ path: FilePath) {
        let bytes = unsafe path.withPlatformString {
            unsafe Array(UnsafeRawBufferPointer(start: $0, count: path.length))
        }
        text = Self.quoted(bytes.first == UInt8(ascii: "-") ? Array("./".utf8) + bytes : bytes)
    }

    /// An option and its value, in one word where the value begins with a dash.
    package static func option(_ name: String, _ value: String) -> String {
        "\(name)\(value.hasPrefix("-") ? "=" : " ")\(ShellWord(value).text)"
    }

    /// The options of these names that a command line has, with their values, to be typed into another one.
    ///
    /// - Parameter flags: options without a value.
    package static func options(
        _ names: [String], flags: [String], in arguments: [String]
    ) -> [String] {
        var found: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst(), word != "--" {
            if flags.contains(word) {
                found.append(word)
            } else if names.contains(word) {
                if let value = rest.popFirst() { found.append(option(word, value)) }
            } else if let name = names.first(where: { word.hasPrefix("\($0)=") }) {
                found.append(option(name, String(word.dropFirst(name.count + 1))))
            }
        }
        return found
    }

    // MARK: Quoting

    private static func quoted(_ bytes: [UInt8]) -> String {
        guard let argument = String(validating: bytes, as: UTF8.self),
            !argument.unicodeScalars.contains(where: \.isControl)
        else { return escaped(bytes) }
        if !argument.isEmpty, argument.utf8.allSatisfy(isPlain), !isSpecialAtFirst(bytes[0]) {
            return argument
        }
        return "'" + argument.replacing("'", with: #"'\''"#) + "'"
    }

    /// Dollar-single-quotes of POSIX.1-2024, which bash, zsh, ksh and busybox have: the one form that shows no control
    /// character. Three octal digits are read alike by all of them.
    private static func escaped(_ bytes: [UInt8]) -> String {
        var text = "$'"
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"): text += #"\n"#
            case UInt8(ascii: "\t"): text += #"\t"#
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): text += "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7f where byte != UInt8(ascii: "!"): text += String(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 8)
                text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }
        }
        return text + "'"
    }

    /// Characters that no shell does anything with.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/._-+,:@%=~".utf8.contains(byte)
        }
    }

    /// What zsh and others do something with where a word begins.
    private static func isSpecialAtFirst(_ byte: UInt8) -> Bool { "=~%".utf8.contains(byte) }
}
