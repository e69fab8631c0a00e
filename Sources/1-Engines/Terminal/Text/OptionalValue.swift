/// An option whose value may be left out. The parser has none: for it, the option is a flag, and another option has the value.
package struct OptionalValue: Sendable {
    private let name: String
    private let full: String
    private let value: String
    private let example: String

    /// - Parameters:
    ///   - name: such as `--wait`.
    ///   - full: what the parser calls it where it has a value, such as `--wait-at-most`.
    ///   - value: what help calls the value, such as `DURATION`.
    ///   - example: a value.
    package init(_ name: String, full: String, value: String, example: String) {
        self.name = name
        self.full = full
        self.value = value
        self.example = example
    }

    /// An argument as the parser takes it.
    package func separated(_ argument: String) -> String {
        argument.hasPrefix("\(name)=") ? "\(full)=\(argument.dropFirst(name.count + 1))" : argument
    }

    /// Help of the parser, or a synopsis, with the option as it can be typed.
    package func shown(in help: String) -> String {
        let typed = "\(name)[=\(value)]"
        let gap = String(repeating: " ", count: typed.count - name.count)
        return help.replacing("[\(name)]", with: "[\(typed)]")
            .replacing("  \(name)  \(gap)", with: "  \(typed)  ")
    }

    /// What the parser says of it, with the form that it has.
    /// - Parameter arguments: of the program.
    package func explained(_ message: String, _ arguments: [String]) -> String {
        let message = message.replacing(full, with: name)
        // The value as a word of its own is an argument.
        let next = arguments.firstIndex(of: name).map { arguments.dropFirst($0 + 1).first ?? "" }
        let isSplit =
            next.map { value in
                ["unexpected", "Unexpected"].contains { message.hasSuffix("\($0) argument '\(value)'") }
            } ?? false
        guard isSplit || message.hasSuffix(" for '\(name)'") else { return message }
        return "\(message). Specify the \(value.lowercased()) as in '\(name)=\(example)'."
    }
}
