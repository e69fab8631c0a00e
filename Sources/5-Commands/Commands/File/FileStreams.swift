import ArgumentParser
import Valise

/// Files and standard streams named on the command line.
enum FileStreams {
    /// Stands for standard input or output.
    static let dash = "-"

    /// What is read, in a result for a user.
    static func shown(_ source: String) -> String {
        source == dash ? "standard input" : source.withoutControls
    }

    static let output = DescriptorOutput(.standardOutput, name: "standard output")

    static func input(_ name: String) -> FileInput {
        name == dash ? .descriptor(.standardInput, name: "standard input") : .path(FilePath(name))
    }

    /// - Parameter replacing: whether a file is replaced.
    static func output(_ name: String, replacing: Bool = false) -> FileOutput {
        name == dash ? .descriptor(output) : .path(FilePath(name), replacing: replacing)
    }
}

/// The result of `file encrypt` or `file decrypt`.
struct ConvertedFileJSON: Encodable {
    let type: String
    let source: String
    let file: String
    /// Of the content, in bytes.
    let size: Int64
    var keyFile: String?
}

extension OutputOptions {
    /// Content and result cannot both go to standard output.
    func check(_ target: String) throws {
        guard !json || target != FileStreams.dash else {
            throw ValidationError("--json cannot be used with content on standard output")
        }
    }
}
