import ArgumentParser
import Valise

/// Files and standard streams as they are named on the command line.
enum FileStreams {
    /// What stands for standard input or output.
    static let dash = "-"

    static let output = DescriptorOutput(.standardOutput, name: "standard output")

    static func input(_ name: String) -> FileInput {
        name == dash ? .descriptor(.standardInput, name: "standard input") : .path(FilePath(name))
    }

    /// - Parameter replacing: whether a file is replaced.
    static func output(_ name: String, replacing: Bool = false) -> FileOutput {
        name == dash ? .descriptor(output) : .path(FilePath(name), replacing: replacing)
    }
}

/// What `file encrypt` and `file decrypt` did.
struct ConvertedFileJSON: Encodable {
    let type: String
    let source: String
    let file: String
    /// Of the content, in bytes.
    let size: Int64
    var keyFile: String?
}

extension OutputOptions {
    /// Content and result cannot go the same way.
    func check(_ target: String) throws {
        guard !json || target != FileStreams.dash else {
            throw ValidationError("--json prints to standard output, where the content goes.")
        }
    }
}
