import FaultInjection
import Foundation
import SystemPackage
import ValiseFiles

/// Runs the program with a passphrase that is a random marker, and looks for it where it must not be: what is
/// printed, the arguments and the environment, the memory when the program ends, and files.
///
/// The library in `Support/leakscan.c` looks through all memory of the process itself, because nobody else
/// may: every secret has been freed by then, so that each piece that is found was left behind.
final class SecretLeak {
    /// What the program was seen to leave.
    struct Traces {
        let outcome: Program.Outcome
        /// Pieces in the memory at the end, arguments and environment included; nil when nobody looked.
        let inMemory: Int?
        /// How many bytes of memory were looked through.
        let scanned: Int
        let report: String
        let isPrinted: Bool
    }

    let folder: TemporaryFolder
    let marker: String

    init() throws {
        folder = try TemporaryFolder()
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        marker = String((0..<32).map { _ in letters.randomElement() ?? "a" })
        try FileSystem().replace(folder.appending("key"), with: Array(marker.utf8))
        try FileSystem().makeDirectory(folder.appending("home"))
    }

    var account: String { folder.appending("account").string }
    var key: String { "--passphrase-file=\(folder.appending("key"))" }

    /// The library, compiled once; nil without a compiler or on another system.
    static let library: String? = Preload.compile("leakscan")

    /// What the library needs; goes to the program only, not to what starts it.
    var environment: [String: String] {
        let masked = marker.utf8.map { byte in
            let digits = String(byte ^ 0x5A, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }
        return [
            "LD_PRELOAD": Self.library ?? "", "LEAK_MARKER": masked.joined(),
            "LEAK_REPORT": folder.appending("report").string,
        ]
    }

    /// Runs the program.
    ///
    /// - Parameters:
    ///   - prefix: a program that runs it, with its arguments; that one is not looked at.
    func run(
        _ arguments: [String], under prefix: [String] = [], environment more: [String: String] = [:]
    ) throws -> Traces {
        let report = folder.appending("report")
        if try FileSystem().exists(report) { try FileSystem().remove(report) }
        let settings = environment.map { "\($0.key)=\($0.value)" }
        let command = prefix + ["/usr/bin/env"] + settings + [Program.valise] + arguments
        let outcome = try Program.run(
            command[0], Array(command.dropFirst()),
            environment: ["HOME": folder.appending("home").string].merging(more) { $1 })
        return try traces(outcome)
    }

    private func traces(_ outcome: Program.Outcome) throws -> Traces {
        let path = folder.appending("report")
        let text =
            try FileSystem().exists(path)
            ? String(decoding: try FileSystem().contents(of: path, limit: 1 << 20), as: UTF8.self) : ""
        let counts = text.matches(of: #/(?m)^found (\d+) scanned (\d+)$/#)
        let isPrinted = (outcome.output + outcome.errors).contains(marker)
        return Traces(
            outcome: outcome, inMemory: counts.isEmpty ? nil : counts.compactMap { Int($0.1) }.reduce(0, +),
            scanned: counts.compactMap { Int($0.2) }.reduce(0, +), report: text, isPrinted: isPrinted)
    }

    /// The files under the folder that hold the marker.
    func files() throws -> [String] {
        let marker = Data(marker.utf8)
        return try TemporaryFolder.contents(of: folder.path).compactMap { name, bytes in
            guard let bytes, Data(bytes).range(of: marker) != nil else { return nil }
            return name
        }.sorted()
    }
}
