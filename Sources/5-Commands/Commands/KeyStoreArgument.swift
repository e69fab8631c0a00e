public import ArgumentParser
public import Valise

extension KeyStoreChoice: ExpressibleByArgument {
    /// Parses a command-line argument.
    public init?(argument: String) { self.init(name: argument) }

    public var defaultValueDescription: String { name }

    /// For completions. Help and errors have all values in a sentence.
    public static var defaultCompletionKind: CompletionKind { .list(all.map(\.name)) }

    /// For help texts.
    static var list: String { "\(all.map(\.name).joined(separator: ", ")) or file:FOLDER" }
}
