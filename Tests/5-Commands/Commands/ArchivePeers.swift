import SystemPackage
import Testing

/// What `unzip` and `bsdtar` say of an archive.
struct ArchivePeers: Sendable, Equatable, CustomStringConvertible {
    let unzip: Int32
    /// Of `bsdtar -tf`, which looks at the directory alone where the file can be read at any place.
    let list: Int32
    /// Of `bsdtar -xOf`, which compares checksums.
    let contents: Int32

    static var areInstalled: Bool { Program.tool("unzip") != nil && Program.tool("bsdtar") != nil }

    /// The first words of what they say of themselves.
    static func versions() throws -> [String] {
        try [["unzip", "-v"], ["bsdtar", "--version"]].map { command in
            let outcome = try Program.run("/bin/sh", ["-c", command.joined(separator: " ")])
            return outcome.output.split(separator: " ").prefix(2).joined(separator: " ")
        }
    }

    init(of archive: String) throws {
        // With a password, so that nobody is asked for one.
        unzip = try Self.status("unzip -P x -t", archive)
        list = try Self.status("bsdtar --passphrase x -tf", archive)
        contents = try Self.status("bsdtar --passphrase x -xOf", archive)
    }

    init(unzip: Int32, list: Int32, contents: Int32) {
        (self.unzip, self.list, self.contents) = (unzip, list, contents)
    }

    /// Whether one of them passes what is refused, or the reverse.
    func differ(from status: Int32) -> Bool {
        [unzip, list, contents].contains { ($0 == 0) != (status == 0) }
    }

    var description: String { "\(unzip) | \(list) / \(contents)" }

    private static func status(_ command: String, _ archive: String) throws -> Int32 {
        try Program.run("/bin/sh", ["-c", "timeout 30 \(command) \"$1\" >/dev/null 2>&1", "sh", archive])
            .status
    }
}

/// A line of the table in `Documentation/formats/archive-verdicts.md`.
struct VerdictLine: Sendable {
    let name: String
    /// Of `valise archive verify`.
    let status: Int32
    let peers: ArchivePeers
    let reason: String

    /// | `case` | status, and words | status of unzip | list / contents of bsdtar | why |
    init?(_ line: Substring) {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.split(separator: " ").joined(separator: " ") }
        guard cells.count == 7, cells[1].hasPrefix("`"), let word = cells[2].split(separator: " ").first,
            let status = Int32(word), let unzip = Int32(cells[3])
        else { return nil }
        let tar = cells[4].split(separator: "/").compactMap { Int32($0.filter { $0 != " " }) }
        guard tar.count == 2 else { return nil }
        name = String(cells[1].dropFirst().dropLast())
        self.status = status
        peers = ArchivePeers(unzip: unzip, list: tar[0], contents: tar[1])
        reason = cells[5]
    }
}
