import TestPeers
import Testing

/// The `sqlcipher` shell.
enum Shell {
    static let isThere = OtherProgram.isThere("sqlcipher")

    /// The pragma that sets the same for databases that are opened later.
    static func asDefault(_ pragma: String) -> String {
        pragma.hasPrefix("cipher_") ? "cipher_default_" + pragma.dropFirst(7) : "cipher_default_" + pragma
    }

    static func run(_ file: String, _ statements: [String]) throws {
        let shell = try #require(OtherProgram("sqlcipher"))
        let (status, output) = try shell.run(
            ["-batch", "-bail", file], input: statements.joined(separator: ";\n") + ";\n")
        #expect(status == 0, "\(output)")
    }
}
