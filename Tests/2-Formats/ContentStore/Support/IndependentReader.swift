import Foundation
import TestPeers

/// A reader of stores in folders that knows only the format's description, and a writer: scripts beside this.
enum IndependentReader {
    /// What it says of an entry of the index; of an orphan, only the key.
    struct Line: Decodable, Equatable {
        let path: String?
        /// `file`, `symlink`, `directory`, `deleted`, `unfinished` or `orphan`.
        let kind: String
        let size: Int64?
        let blake3: String?
        let mode: UInt32?
        let mtime: [Int64]?
        let target: String?
        /// The name of the manifest.
        let manifest: String?
        let encrypted: Bool?
        let key: String?
    }

    /// Why it does not take a store.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    static let isThere = (try? run("tcfs_reader.py", ["--available"]))?.status == 0

    /// Reads everything and holds it against everything else.
    /// - Parameters:
    ///   - prefix: of all keys.
    ///   - key: the master key in hexadecimal digits.
    ///   - options: such as `--portable`, `--orphans`, `--output` and a folder.
    /// - Throws: ``Refusal`` where something contradicts something.
    static func lines(
        of folder: String, prefix: String = "", key: String? = nil, options: [String] = []
    ) throws -> [Line] {
        let keyed = key == nil ? [] : ["--key-file", "-"]
        let outcome = try run(
            "tcfs_reader.py", [folder, "--prefix", prefix] + keyed + options, input: key)
        guard outcome.status == 0 else {
            throw Refusal(description: String(decoding: outcome.errors, as: UTF8.self))
        }
        return try outcome.text.split(separator: "\n").map { line in
            try JSONDecoder().decode(Line.self, from: Data(line.utf8))
        }
    }

    /// Writes the files of a folder as programs of an era do.
    /// - Parameters:
    ///   - layout: `v0.5.0`, `main-2026-07` or `portable`.
    ///   - key: the master key in hexadecimal digits; without it nothing is encrypted.
    static func write(
        _ files: String, to folder: String, prefix: String = "", layout: String, key: String? = nil
    ) throws {
        let keyed = key == nil ? [] : ["--key-file", "-"]
        let outcome = try run(
            "tcfs_writer.py", [files, folder, "--prefix", prefix, "--layout", layout] + keyed, input: key)
        guard outcome.status == 0 else {
            throw Refusal(description: String(decoding: outcome.errors, as: UTF8.self))
        }
    }

    /// One of the scripts beside this.
    static func run(
        _ script: String, _ arguments: [String], input: String? = nil
    ) throws -> OtherProgram.Outcome {
        guard let python = OtherProgram("python3") else { throw Refusal(description: "no Python") }
        return try python.outcome(of: [Repository.beside(script).path] + arguments, input: input)
    }
}
