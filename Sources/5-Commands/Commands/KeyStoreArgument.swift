public import ArgumentParser
public import Valise

extension KeyStoreChoice: ExpressibleByArgument {
    /// Parses a command-line argument.
    public init?(argument: String) { self.init(name: argument) }

    public var defaultValueDescription: String { name }

    /// For completions.
    public static var allValueStrings: [String] { all.map(\.name) }

    /// For help texts.
    static var list: String { "\(allValueStrings.joined(separator: ", ")) or file:FOLDER" }
}
